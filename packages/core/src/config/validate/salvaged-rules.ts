/**
 * What still counts of `permissions` that are written wrongly. A rule that takes away must not fall with a slip of the pen:
 * not with a mistyped rule beside it, not for want of brackets, and not under a key that nobody knows. What stands under
 * such a key is denied, for it may have been meant so. Pure.
 */
import { isObject } from '../../base/json/is-object.ts';
import type { Path } from '../formats/document.ts';
import type { WrittenRule } from '../schema/rule-pattern.ts';
import { type PermissionRules, Permissions, ScopedRule } from '../schema/schema.ts';

interface SalvagedRule extends WrittenText {
  readonly effect: keyof PermissionRules;
}

interface WrittenText {
  readonly rule: WrittenRule;
  /** Where it is written. */
  readonly path: Path;
}

export function rulesIn(permissions: unknown): PermissionRules {
  const byEffect = Object.entries(salvaged(permissions, []));
  return Object.fromEntries(byEffect.map(([effect, rules]) => [effect, rules.map(({ rule }) => rule)]));
}

/** Where each of those rules is written, by its place in them: `permissions.deny.0`. */
export function placesOfRules(permissions: unknown, at: Path): Record<string, Path> {
  const places = Object.entries(salvaged(permissions, at)).flatMap(([effect, rules]) =>
    rules.map(({ path }, index) => [`permissions.${effect}.${index}`, path] as const),
  );
  return Object.fromEntries(places);
}

/** Whether any rule stands under this key of `permissions`, whatever it is called. */
export function holdsRules(key: string, value: unknown): boolean {
  return textsOf(key, value, []).length > 0;
}

/** `{"mcp__fs__write_file": "deny"}` is how other programs write rules: there the key is the pattern. */
function textsOf(key: string, value: unknown, path: Path): WrittenText[] {
  return key.startsWith('mcp__') ? [{ rule: key, path }] : textsIn(value, path);
}

function textsIn(value: unknown, path: Path): WrittenText[] {
  if (typeof value === 'string') return value === '' ? [] : [{ rule: value, path }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  if (!isObject(value)) return [];
  // A rule whose agents cannot be read concerns all of them.
  if (typeof value.tools === 'string') return [{ rule: ScopedRule.safeParse(value).data ?? value.tools, path }];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(key, inner, [...path, key]));
}

function salvaged(permissions: unknown, at: Path): Partial<Record<keyof PermissionRules, SalvagedRule[]>> {
  if (!isObject(permissions)) return Object.groupBy(denying(textsIn(permissions, at)), ({ effect }) => effect);
  const rules = Object.entries(permissions).flatMap(([key, value]): SalvagedRule[] => {
    const texts = textsOf(key, value, [...at, key]);
    if (key !== 'allow' && key !== 'ask') return denying(texts);
    const isSound = key === 'ask' || Permissions.shape.allow.safeParse(value).success;
    return isSound ? texts.map(text => ({ effect: key, ...text })) : [];
  });
  return Object.groupBy(rules, ({ effect }) => effect);
}

function denying(texts: readonly WrittenText[]): SalvagedRule[] {
  return texts.map(text => ({ effect: 'deny', ...text }));
}

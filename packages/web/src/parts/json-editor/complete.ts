/** Offers what may stand where the cursor is: keys that are not there yet, and the words a value may be. */
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  startCompletion,
} from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { EditorView } from '@codemirror/view';
import { belowKey, formsOf, type JsonSchema, schemasAt, wordsOf } from './json-schema.ts';
import { pathTo, rootOf, writtenValue } from './json-tree.ts';

type Node = ReturnType<typeof syntaxTree>['topNode'];

/** While no more than this is typed, what was offered stays. */
const WORD = /^\w*$/;

export function completeFrom(schema: JsonSchema): CompletionSource {
  return context => {
    const node = syntaxTree(context.state).resolveInner(context.pos, -1);
    // Behind the closing quote Enter means a new line.
    if (node.to === context.pos && isQuoted(node)) return null;
    if (node.name === 'PropertyName') return keysFor(schema, context, node.parent?.parent, node);
    if (node.name === 'String') return wordsFor(schema, context, pathTo(context.state, node), node);
    const before = context.state
      .sliceDoc(Math.max(0, context.pos - 200), context.pos)
      .trimEnd()
      .at(-1);
    if (!context.explicit || before === undefined) return null;
    if (before === '{' || before === ',') return keysFor(schema, context, around(node, 'Object'));
    const property = around(node, 'Property');
    const name = property?.getChild('PropertyName');
    return before === ':' && name ? wordsFor(schema, context, pathTo(context.state, name)) : null;
  };
}

function keysFor(
  schema: JsonSchema,
  { state, pos }: CompletionContext,
  object: Node | null | undefined,
  name?: Node,
): CompletionResult | null {
  if (object?.name !== 'Object') return null;
  const there = writtenValue(state, object) as object;
  const forms = schemasAt(schema, writtenValue(state, rootOf(state).firstChild), pathTo(state, object));
  const written = name && state.sliceDoc(name.from + 1, name.to - 1);
  const keys = new Set(forms.flatMap(({ properties }) => Object.keys(properties ?? {})));
  const open = [...keys].filter(key => key === written || !Object.hasOwn(there, key));
  const hasColon = name !== undefined && /^\s*:/.test(state.sliceDoc(name.to, name.to + 20));
  const options = open.map((key): Completion => {
    const below = belowKey(forms, key);
    const [first] = below;
    return {
      label: key,
      type: 'property',
      detail: first?.type ?? '',
      ...(first?.description === undefined ? {} : { info: first.description }),
      apply: (view, _completion, _from, to) => {
        const start = hasColon ? '' : `: ${beginningOf(below)}`;
        put(view, to, `${JSON.stringify(key)}${start}`, /^: (""|\[\]|\{\})$/.test(start) ? 1 : 0);
      },
    };
  });
  return { from: name ? name.from + 1 : pos, options, validFor: WORD };
}

function wordsFor(
  schema: JsonSchema,
  { state, pos }: CompletionContext,
  path: readonly (string | number)[],
  node?: Node,
): CompletionResult | null {
  // What is written already may be the wrong word: it must not decide which words there are.
  const root = without(writtenValue(state, rootOf(state).firstChild), path);
  const words = wordsIn(schemasAt(schema, root, path));
  if (words.length === 0) return null;
  const options = words.map(
    (word): Completion => ({
      label: String(word),
      type: 'enum',
      apply: (view, _completion, _from, to) => put(view, to, JSON.stringify(word)),
    }),
  );
  return { from: node ? node.from + 1 : pos, options, validFor: WORD };
}

function without(value: unknown, [step, ...rest]: readonly (string | number)[]): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return undefined;
  const inner = (value as Record<string | number, unknown>)[step];
  return Array.isArray(value)
    ? value.with(Number(step), without(inner, rest))
    : { ...value, [step]: without(inner, rest) };
}

function wordsIn(schemas: readonly JsonSchema[]): unknown[] {
  return [...new Set(schemas.flatMap(form => wordsOf(form) ?? []))];
}

const BEGINNINGS: Readonly<Record<string, string>> = { string: '""', array: '[]', object: '{}' };

/** How a value begins, so that the next thing typed is the value itself. */
function beginningOf(schemas: readonly JsonSchema[]): string {
  const forms = schemas.flatMap(schema => formsOf(schema, undefined));
  const words = wordsIn(forms);
  return words.length === 1 ? JSON.stringify(words[0]) : (BEGINNINGS[forms[0]?.type ?? ''] ?? '');
}

/** In place of the text in quotes that the cursor is in; else where it is. `inside`: so far before its end one goes on. */
function put(view: EditorView, cursor: number, text: string, inside = 0): void {
  const node = syntaxTree(view.state).resolveInner(cursor, -1);
  const { from, to } = isQuoted(node) ? node : { from: cursor, to: cursor };
  const anchor = from + text.length - inside;
  view.dispatch({ changes: { from, to, insert: text }, selection: { anchor }, userEvent: 'input.complete' });
  startCompletion(view);
}

function isQuoted({ name }: Node): boolean {
  return name === 'PropertyName' || name === 'String';
}

function around(node: Node, name: string): Node | null {
  for (let here: Node | null = node; here; here = here.parent) if (here.name === name) return here;
  return null;
}

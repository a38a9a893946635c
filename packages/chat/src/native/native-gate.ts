/**
 * Whether a native tool may run. The same rules as for the tools of servers, by the tool's own name: `shell(command=git *)`,
 * `write(path=src/**)`. Where none covers the call, what only looks inside the working directory runs, the rest is asked about.
 */
import type { Verdict } from '@junctor/core';
import { Gate } from '@junctor/core/pure';
import type { NativeName, NativeTool } from './native-tool.ts';
import { holdsSecrets, type Place, placeOf } from './paths.ts';
import { startsOthers } from './started-programs.ts';

type Permissions = ConstructorParameters<typeof Gate>[0]['permissions'];
type WrittenRule = NonNullable<Permissions['allow']>[number];

export class NativeGate {
  readonly #gate: Gate;

  constructor(permissions: Permissions, tools: readonly NativeTool[], servers: readonly string[]) {
    // Chat is no agent of the hub: rules for agents do not concern it.
    const meant = (rule: WrittenRule): rule is string => typeof rule === 'string' && !rule.startsWith('mcp__');
    // A rule that could as well mean a server of this name gives nothing here.
    const certain = (rule: WrittenRule): boolean => meant(rule) && !servers.includes(/^[\w-]*/.exec(rule)?.[0] ?? '');
    this.#gate = new Gate({
      permissions: {
        allow: (permissions.allow ?? []).filter(certain),
        ask: (permissions.ask ?? []).filter(meant),
        deny: (permissions.deny ?? []).filter(meant),
      },
      trust: new Map(tools.map(({ name }) => [name, false])),
    });
  }

  async judge(tool: NativeTool, args: Readonly<Record<string, unknown>>, cwd: string): Promise<Verdict> {
    const place = tool.name === 'shell' ? undefined : await placeOf(String(args.path ?? '.'), cwd);
    // Judged by where it leads, not by how it is written.
    const verdict = this.#gate.judge(tool.name, tool.name, place ? { ...args, path: place.shown } : args);
    if (verdict.rule === undefined) return withoutRule(tool, place);
    const more = verdict.effect === 'allow' ? whatMore(tool.name, verdict.rule, args) : undefined;
    return more === undefined ? verdict : asked(more);
  }
}

/** Why a line does more than the rule for one command means: `git *` must not allow `git log; rm -rf .`. */
function whatMore(name: NativeName, rule: string, args: Readonly<Record<string, unknown>>): string | undefined {
  if (name !== 'shell' || !rule.includes('(')) return undefined;
  const command = String(args.command);
  if (/[;&|`$<>(){}\n\\]/.test(command)) return 'the rule allows one command, and this line can run more';
  if (startsOthers(command)) return 'the rule allows one command, and its options can start any other';
  return undefined;
}

function withoutRule(tool: NativeTool, place: Place | undefined): Verdict {
  if (!tool.readOnly) return asked(`no rule covers '${tool.name}', and it changes things`);
  if (!place?.inside) return asked('no rule covers it, and it lies outside the working directory');
  if (holdsSecrets(place.shown)) return asked('no rule covers it, and such files hold secrets');
  return { effect: 'allow', because: 'it only looks, inside the working directory' };
}

function asked(because: string): Verdict {
  return { effect: 'ask', because };
}

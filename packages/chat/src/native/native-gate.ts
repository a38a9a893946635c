/**
 * Whether a native tool may run. The same rules as for the tools of servers, by the tool's own name: `shell(command=git *)`,
 * `write(path=src/**)`. Where none covers the call, what only looks inside the working directory runs, the rest is asked about.
 */
import type { Verdict } from '@junctor/core';
import { Gate } from '@junctor/core/pure';
import type { NativeName, NativeTool } from './native-tool.ts';
import { holdsSecrets, type Place, placeOf } from './paths.ts';

type Permissions = ConstructorParameters<typeof Gate>[0]['permissions'];

export class NativeGate {
  readonly #gate: Gate;

  constructor(permissions: Permissions, tools: readonly NativeTool[], servers: readonly string[]) {
    const meant = (pattern: string): boolean => !pattern.startsWith('mcp__');
    // A rule that could as well mean a server of this name gives nothing here.
    const certain = (pattern: string): boolean =>
      meant(pattern) && !servers.includes(/^[\w-]*/.exec(pattern)?.[0] ?? '');
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
    return verdict.effect === 'allow' && doesMore(tool.name, verdict.rule, args) ? asked(CHAINED) : verdict;
  }
}

const CHAINED = 'the rule allows one command, and this line can run more';

/** `git *` must not allow `git log; rm -rf .`. */
function doesMore(name: NativeName, rule: string, args: Readonly<Record<string, unknown>>): boolean {
  return name === 'shell' && rule.includes('(') && /[;&|`$<>(){}\n\\]/.test(String(args.command));
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

/** What doors tell of themselves: the version that is spoken, and what can be done behind them. */
import { cleanAndCut, type Greeting, LATEST_PROTOCOL_VERSION, PROTOCOL_VERSIONS } from '@junctor/core/inside';

/** The client's version where we speak it, else our newest. */
export function agreedVersion(asked: unknown): string {
  return (PROTOCOL_VERSIONS as readonly unknown[]).includes(asked) ? String(asked) : LATEST_PROTOCOL_VERSION;
}

const CARRIED = ['tools', 'prompts', 'resources', 'completions', 'logging', 'experimental'];

/** What one server can do, as far as a door carries it. `own`: the caller has it alone, so that it may keep tasks there. */
export function carried({ capabilities, era }: Greeting, to: { readonly era: string; readonly own: boolean }): object {
  const same = era === to.era ? (era === 'modern' ? ['extensions'] : to.own ? ['tasks'] : []) : [];
  const names = [...CARRIED, ...same].filter(name => capabilities[name] !== undefined);
  return Object.fromEntries(names.map(name => [name, capabilities[name]]));
}

/** What a door with all servers of an agent can do: what any of them can, and its lists may change at any time. */
export function joined(greetings: readonly (Greeting | undefined)[]): object {
  // Of a server that is not there yet nobody knows: it may come with anything.
  const has = (name: string): boolean =>
    greetings.some(one => one === undefined || one.capabilities[name] !== undefined);
  return {
    tools: { listChanged: true },
    ...(has('resources') ? { resources: { subscribe: true, listChanged: true } } : {}),
    ...(has('prompts') ? { prompts: { listChanged: true } } : {}),
    ...(has('completions') ? { completions: {} } : {}),
    ...(has('logging') ? { logging: {} } : {}),
  };
}

/** Longer instructions of one server are cut: they must not drown those of others. */
const MAX_CHARS = 4000;

export function joinedInstructions(
  parts: readonly (readonly [server: string, text: string | undefined])[],
): string | undefined {
  const told = parts.flatMap(([server, text = '']) => {
    const clean = cleanAndCut(text, MAX_CHARS);
    return clean === '' ? [] : [`## ${server}\n\n${clean}`];
  });
  return told.length > 0 ? told.join('\n\n') : undefined;
}

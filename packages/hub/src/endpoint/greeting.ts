/** What doors tell of themselves: the version that is spoken, and what can be done behind them. */
import {
  cleanInstructions,
  compileGlob,
  type Greeting,
  isObject,
  LATEST_PROTOCOL_VERSION,
  PROTOCOL_VERSIONS,
} from '@junctor/core/internal';
import { type Audience, taskCapabilities } from './task-offer.ts';

/** The client's version where we speak it, else our newest. */
export function agreedVersion(asked: unknown): string {
  return (PROTOCOL_VERSIONS as readonly unknown[]).includes(asked) ? String(asked) : LATEST_PROTOCOL_VERSION;
}

const CARRIED = ['tools', 'prompts', 'resources', 'completions', 'logging', 'experimental'];

/** What one server can do, as far as its endpoint carries it. Extensions are those of the newer era; tasks are the hub's. */
export function carried(greeting: Greeting, to: Audience): object {
  const { capabilities, era } = greeting;
  const names = CARRIED.filter(name => capabilities[name] !== undefined);
  const { extensions: tasks, ...own } = taskCapabilities(to, [greeting]);
  const same = era === 'modern' && to.era === 'modern' && isObject(capabilities.extensions);
  const extensions = { ...(same ? (capabilities.extensions as object) : {}), ...tasks };
  return {
    ...Object.fromEntries(names.map(name => [name, capabilities[name]])),
    ...own,
    ...(same || tasks ? { extensions } : {}),
  };
}

/** The methods of the protocol that a server answers, of either era. What is asked about tasks, the hub answers. */
const PROTOCOL_METHODS = new Set([
  ...['tools/list', 'tools/call', 'prompts/list', 'prompts/get', 'completion/complete'],
  ...['resources/list', 'resources/templates/list', 'resources/read', 'resources/subscribe', 'resources/unsubscribe'],
]);

/** Whether a server's own endpoint forwards this method. `methods`: patterns that the config names for this server. */
export function carriesMethod(
  method: string,
  { extensions, methods = [] }: { readonly extensions: unknown; readonly methods?: readonly string[] | undefined },
): boolean {
  if (PROTOCOL_METHODS.has(method)) return true;
  const announced = isObject(extensions) ? Object.keys(extensions) : [];
  return (
    announced.some(id => method.startsWith(`${id}/`)) || methods.some(pattern => compileGlob(pattern).test(method))
  );
}

/** What a door with all servers of an agent can do: what any of them can, and its lists may change at any time. */
export function joined(greetings: readonly (Greeting | undefined)[], to: Audience): object {
  // Of a server that is not there yet nobody knows: it may come with anything.
  const has = (name: string): boolean =>
    greetings.some(one => one === undefined || one.capabilities[name] !== undefined);
  return {
    tools: { listChanged: true },
    ...(has('resources') ? { resources: { subscribe: true, listChanged: true } } : {}),
    ...(has('prompts') ? { prompts: { listChanged: true } } : {}),
    ...(has('completions') ? { completions: {} } : {}),
    ...(has('logging') ? { logging: {} } : {}),
    ...taskCapabilities(to, greetings),
  };
}

export function joinedInstructions(
  parts: readonly (readonly [server: string, text: string | undefined])[],
): string | undefined {
  const told = parts.flatMap(([server, text]) => {
    const clean = cleanInstructions(server, text);
    return clean ? [`## ${server}\n\n${clean.text}`] : [];
  });
  return told.length > 0 ? told.join('\n\n') : undefined;
}

/** Why a tool is found by search instead of standing on the list: its bundle, or the length of all descriptions. Pure. */
import type { Readers } from '../../catalogue/profiles/audience.ts';
import { decideSearch } from '../../catalogue/search-mode/search-decision.ts';
import type { Snapshot } from '../../catalogue/snapshot.ts';
import { agentNamed } from '../../resolve/policy.ts';
import type { Resolution } from '../../resolve/resolve.ts';
import type { ToolFacts } from './facts.ts';
import type { Because, Written } from './left-out.ts';
import { agentOrigin, frameOrigin } from './origin.ts';

export interface SearchedFacts {
  readonly written: Written;
  readonly resolution: Resolution;
  readonly snapshot: Snapshot;
  readonly readers: Readers;
}

/** As a run would decide that begins now. */
export function whyDeferred({ written, resolution, snapshot, readers }: SearchedFacts): ToolFacts['deferred'] {
  const entries = [...snapshot.byName.values()].filter(({ server }) => resolution.servers.has(server));
  const { all, hides, measure } = decideSearch({ loaded: written, resolution }, readers, entries);
  return server => {
    if (!hides(server)) return undefined;
    return bundled(server, written) ?? (all ? tooLong(measure, written, resolution.agent) : undefined);
  };
}

function bundled(server: string, { frame, layers }: Written): Because | undefined {
  const [name] =
    Object.entries(frame.bundles ?? {}).find(([, { serverId, mode }]) => serverId === server && mode === 'meta') ?? [];
  if (name === undefined) return undefined;
  const at = frameOrigin(layers, ({ bundles }) => (bundles?.[name] ? ['bundles', name, 'mode'] : undefined)) ?? null;
  return { because: `the bundle '${name}' has mode meta: find_tools finds it`, at, hint: 'set its mode to direct' };
}

function tooLong(
  { chars, allowed, contextWindow }: ReturnType<typeof decideSearch>['measure'],
  { frame, layers }: Written,
  agent: string | undefined,
): Because {
  const own =
    agent !== undefined && agentNamed(frame, agent)?.search ? agentOrigin(layers, agent, 'search') : undefined;
  const general = frameOrigin(layers, ({ search }) => (search ? ['search'] : undefined));
  const window = `a window of ${contextWindow} tokens`;
  return {
    because: `descriptions have ${chars} characters, and from ${allowed} on, in ${window}, find_tools finds them`,
    at: own ?? general ?? null,
    hint: 'raise search.context_threshold, or set search.enabled to false',
  };
}

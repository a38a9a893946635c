/** Which servers an agent is given. Its format may have words for more than the agent is known to speak well. */
import type { DialectName } from '../dialects/dialect.ts';
import { cannotSpeak } from '../dialects/entry-writer.ts';
import type { McpServerDef } from '../server-schema.ts';
import type { WantedServer } from './plan-write.ts';

type Transport = McpServerDef['transport'];

/** Only where it is less than its format could say: opencode finds out about SSE by failing at HTTP first. */
const SPOKEN: Readonly<Partial<Record<DialectName, readonly Transport[]>>> = {
  'claude-code': ['stdio', 'http', 'sse'],
  opencode: ['stdio', 'http'],
};

export interface Spoken {
  readonly wanted: readonly WantedServer[];
  readonly leftOut: readonly { readonly id: string; readonly because: string }[];
}

export function spokenBy(agent: DialectName, servers: readonly WantedServer[]): Spoken {
  const spoken = SPOKEN[agent];
  const plain = servers.map(({ id, definition }) => ({ id, definition: asSpoken(definition) }));
  const fits = ({ definition }: WantedServer): boolean => spoken?.includes(definition.transport) ?? true;
  const leftOut = plain.filter(server => !fits(server));
  return {
    wanted: plain.filter(fits),
    leftOut: leftOut.map(({ id, definition }) => ({ id, because: cannotSpeak(definition.transport) })),
  };
}

/** One thing on the wire; the shorter word is the one every agent knows. */
function asSpoken(definition: McpServerDef): McpServerDef {
  return definition.transport === 'streamable_http' ? { ...definition, transport: 'http' } : definition;
}

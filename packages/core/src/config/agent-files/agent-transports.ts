/** Which servers an agent is given. Its format may have words for more than the agent is known to speak well. */
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { cannotSpeak, namingProgram } from '../dialects/entry-writer.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
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

export function spokenBy({ name, title }: Dialect, servers: readonly WantedServer[]): Spoken {
  const spoken = SPOKEN[name];
  const plain = servers.map(({ id, definition }) => ({ id, definition: asSpoken(definition) }));
  const fits = ({ definition }: WantedServer): boolean => spoken?.includes(definition.transport) ?? true;
  const leftOut = plain.filter(server => !fits(server));
  const because = ({ definition }: WantedServer): string => namingProgram(title, cannotSpeak(definition.transport));
  return {
    wanted: plain.filter(fits),
    leftOut: leftOut.map(server => ({ id: server.id, because: because(server) })),
  };
}

/** One thing on the wire; the shorter word is the one every agent knows. */
function asSpoken(definition: McpServerDef): McpServerDef {
  return definition.transport === 'streamable_http' ? { ...definition, transport: 'http' } : definition;
}

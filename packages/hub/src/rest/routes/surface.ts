/** How an agent sees its tools: listed, or searched. It is written into the config file, where it holds for every way in. */

import { agentNamed, type ConfigFrame } from '@junctor/core/internal';
import { agentId as agentIdOf } from '@junctor/core/light';
import * as z from 'zod/mini';
import { expectAgent } from '../agent-view.ts';
import { ConfigFile } from '../config-file.ts';
import { type Route, route } from '../route.ts';
import { agentId } from '../shapes/query.ts';

export const Surface = z.enum(['auto', 'direct', 'search']);

/** What each comes to in `agents.<id>.search`; undefined: the key is taken out, so that the general rule counts. */
const RULES = {
  auto: { enabled: undefined, context_threshold: undefined },
  direct: { enabled: false, context_threshold: undefined },
  search: { enabled: true, context_threshold: 0 },
} as const;

export function surfaceOf(frame: ConfigFrame, agent: string): z.infer<typeof Surface> {
  const { enabled, context_threshold: threshold } = { ...frame.search, ...agentNamed(frame, agent)?.search };
  if (enabled === false) return 'direct';
  return threshold === 0 ? 'search' : 'auto';
}

export const SURFACE: readonly Route[] = [
  route({
    method: 'put',
    path: '/api/agents/{agent}/surface',
    act: 'agent.surface',
    summary: 'Sets in the config file whether an agent lists its tools, searches them, or as many as there are decide.',
    params: z.object({ agent: agentId }),
    body: z.strictObject({ surface: Surface }),
    answers: {
      200: {
        description: 'It is written, and counts for sessions that begin from now on.',
        schema: z.object({ success: z.literal(true), file: z.string(), surface: Surface }),
      },
    },
    async run({ params, body }, rooms) {
      const agent = expectAgent(rooms, params.agent);
      const written = Object.keys(rooms.book.common.loaded.frame.agents ?? {});
      const name = written.find(one => agentIdOf(one) === agent) ?? agent;
      const edits = Object.entries(RULES[body.surface]).map(([key, value]) => ({
        path: ['agents', name, 'search', key],
        value,
      }));
      const file = await new ConfigFile(rooms).set(edits, () => {});
      return { body: { success: true, file, surface: surfaceOf(rooms.book.hostOf(agent).loaded.frame, agent) } };
    },
  }),
];

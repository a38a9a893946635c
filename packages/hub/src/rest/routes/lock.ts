import { approveLock, concerns, describeChanges, inspectLock, JunctorError, type LockChange } from '@junctor/core';
import { visibleText } from '@junctor/core/internal';
import * as z from 'zod/mini';
import { checkTag, tagOf } from '../etag.ts';
import { notFound, Refusal } from '../failure.ts';
import { hostFor, optionsFor } from '../project-host.ts';
import type { Rooms } from '../rooms.ts';
import { type Route, route } from '../route.ts';
import { projectId, serverId } from '../shapes/query.ts';

const Difference = z.object({
  kind: z.enum(['server-added', 'server-removed', 'server-changed', 'tool-added', 'tool-removed', 'tool-changed']),
  server: z.string(),
  tool: z.nullable(z.string()),
  lines: z.array(z.string()).check(z.describe('Where, - what it was, + what it is.')),
});

export const Lock = z.object({
  file: z.string(),
  exists: z.boolean().check(z.describe('Without a lockfile nothing is hidden.')),
  changes: z.array(Difference),
  failed: z.array(z.object({ server: z.string(), message: z.string() })),
});

const query = z.object({ project: projectId });

export const LOCK: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/lock',
    summary:
      'In what servers and tools differ from the lockfile. Servers that are not started are started to be asked.',
    query,
    answers: { 200: { description: 'The differences, with an ETag.', schema: Lock } },
    async run({ query: { project } }, rooms) {
      const { shown } = await looked(rooms, project);
      return { body: shown, headers: { etag: tagOf(shown.changes) } };
    },
  }),
  route({
    method: 'post',
    path: '/api/lock/approve',
    act: 'lock.approve',
    summary: 'Approves what differs: of a server, or of one tool. With If-Match only what was read.',
    query,
    body: z.strictObject({ server: serverId, tool: z.optional(z.string()) }),
    answers: { 200: { description: 'It is in the lockfile.', schema: z.object({ approved: z.int() }) } },
    async run({ query: { project }, body: target, headers }, rooms) {
      const { found, shown } = await looked(rooms, project);
      if (!found.lock) throw notFound(`There is no lockfile ${found.file}.`, 'junctor lock writes one');
      checkTag(headers, tagOf(shown.changes), { exists: true });
      const chosen = found.changes.filter(change => concerns(change, [target]));
      const { server, tool } = target;
      if (tool !== undefined && found.changes.some(change => change.server === server && isWhole(change))) {
        throw new Refusal(
          409,
          new JunctorError('config_conflict', `The tool '${tool}' cannot be approved without its server '${server}'.`, {
            server,
            why: 'the server itself is new, gone, or defined otherwise than in the lockfile',
            hint: 'approve the server',
          }),
        );
      }
      if (chosen.length > 0) await approveLock(found, chosen);
      return { body: { approved: chosen.length } };
    },
  }),
];

async function looked(rooms: Rooms, project: string | undefined) {
  const host = await hostFor(rooms, { project });
  const found = await inspectLock(host, optionsFor(rooms, project));
  const mask = (text: string): string => host.mask(text);
  const shown: z.infer<typeof Lock> = {
    file: found.file,
    exists: found.lock !== undefined,
    changes: found.lock ? found.changes.map(change => difference(change, mask)) : [],
    failed: found.failed.map(({ server, error }) => ({ server, message: mask(error.message) })),
  };
  return { found, shown };
}

function isWhole({ kind }: LockChange): boolean {
  return kind.startsWith('server-');
}

function difference(change: LockChange, mask: (text: string) => string): z.infer<typeof Difference> {
  const { kind, server } = change;
  return { kind, server, tool: 'tool' in change ? change.tool : null, lines: linesOf(change).map(mask) };
}

const MAX_WORDS = 2000;

function linesOf(change: LockChange): string[] {
  if ('changes' in change) return describeChanges(change.changes);
  if ('tools' in change) return change.tools.map(visibleText);
  const sign = change.kind === 'tool-added' ? '+' : '-';
  return Object.entries(change.definition).map(
    ([key, value]) => `  ${sign} ${key}: ${visibleText(value).slice(0, MAX_WORDS)}`,
  );
}

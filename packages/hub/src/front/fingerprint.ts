import { createHmac } from 'node:crypto';
import { resolve } from 'node:path';
import type { Host, ResolvedServer } from '@junctor/core';
import { writtenDefinition } from '../agents/project-host.ts';

/**
 * What tells whether a server is the same here and there: all that it was made from, and where its program runs. Values may be
 * secrets, so the key is the hub's own token: who knows that needs no fingerprint to learn them.
 */
export function serverFingerprint(server: ResolvedServer, cwd: string, key: string): string {
  const { endpoint } = server;
  const definition = writtenDefinition(server);
  const program = endpoint.transport === 'stdio' ? endpoint : endpoint.program;
  const folder = program ? resolve(cwd, program.cwd ?? '.') : '';
  return createHmac('sha256', key)
    .update(JSON.stringify([definition, folder]))
    .digest('base64url');
}

/** Of every server that may run here, by id. */
export function fingerprintsOf({ resolution }: Host, cwd: string, key: string): Record<string, string> {
  return Object.fromEntries([...resolution.servers].map(([id, server]) => [id, serverFingerprint(server, cwd, key)]));
}

import { VERSION } from '@junctor/core';
import { findOrphans } from '@junctor/core/internal';
import * as z from 'zod/mini';
import type { Peer } from '../../replicas/register.ts';
import { type Route, route } from '../route.ts';

const Orphan = z.object({
  pid: z.number(),
  command: z.string(),
  owner: z.number().check(z.describe('The process that started it, and is gone.')),
});

const Replica = z.object({
  id: z.string(),
  url: z.string().check(z.describe('Where the other hubs reach it.')),
  version: z.string(),
  started: z.string(),
  here: z.boolean().check(z.describe('The one that answers you.')),
});

export const Health = z.object({
  version: z.string(),
  node: z.string(),
  pid: z.number(),
  url: z.string(),
  public_url: z.nullable(z.string()),
  issuer: z.nullable(z.string()).check(z.describe('The OpenID provider whose access tokens are taken.')),
  started: z.string(),
  memory: z.object({ resident_bytes: z.number(), heap_bytes: z.number() }),
  store: z.object({ kind: z.enum(['sqlite', 'postgres']), place: z.string() }),
  hubs: z
    .array(Replica)
    .check(z.describe('The hubs that live on this database; none on SQLite, which has room for one.')),
  data_directory: z.string(),
  instances: z.number().check(z.describe('How many lives of servers there are now.')),
  orphans: z
    .nullable(z.array(Orphan))
    .check(z.describe('Servers that outlived a Junctor that was killed; null: this system does not tell.')),
  limits: z
    .object({
      max_instances: z.number(),
      instance_idle_ms: z.number(),
      approval_wait_ms: z.number(),
      keep_calls_ms: z.number(),
      grace_ms: z.number(),
      max_rate_per_second: z.nullable(z.number()),
    })
    .check(z.describe('What the hub was started with.')),
});

export const HEALTH: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/health',
    summary: 'How the hub itself is, and what it was started with.',
    answers: { 200: { description: 'The facts.', schema: Health } },
    async run({ signal }, { about, pages, instances, register }) {
      const { rss, heapUsed } = process.memoryUsage();
      const { limits, store, dataDirectory, started, issuer, publicUrl } = about;
      const body: z.infer<typeof Health> = {
        version: VERSION,
        node: process.versions.node,
        pid: process.pid,
        url: pages.address,
        public_url: publicUrl ?? null,
        issuer: issuer ?? null,
        started: started.toISOString(),
        memory: { resident_bytes: rss, heap_bytes: heapUsed },
        store,
        hubs: register
          ? [register.self, ...register.peers].flatMap(hub => (hub ? [shownHub(hub, register.id)] : []))
          : [],
        data_directory: dataDirectory,
        instances: instances().length,
        orphans: (await findOrphans(signal)) ?? null,
        limits: {
          max_instances: limits.maxInstances,
          instance_idle_ms: limits.instanceIdleMs,
          approval_wait_ms: limits.approvalWaitMs,
          keep_calls_ms: limits.keepCallsMs,
          grace_ms: limits.graceMs,
          max_rate_per_second: limits.maxRatePerSecond ?? null,
        },
      };
      return { body };
    },
  }),
];

function shownHub({ id, url, version, started }: Peer, here: string): z.infer<typeof Replica> {
  return { id, url, version, started: new Date(started).toISOString(), here: id === here };
}

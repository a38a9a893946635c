/**
 * One call, one decision: the same call through every surface has the same decision, code, sentence, outcome and audit row.
 * Where a surface differs, the row of the table says how and why.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host, ToolRef } from '@junctor/core';
import {
  type Home,
  junctor,
  makeHome,
  misbehaving,
  promise,
  type RunningHub,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { serveHttp } from '@junctor/testkit/test-server';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { answer, type Waiting, waiting } from '../hub/asking.ts';
import { rest } from '../hub/rest-client.ts';
import {
  CASES,
  type Case,
  COMMANDS,
  type Seen,
  SURFACES,
  type SurfaceName,
  UNAUDITED,
  UPSTREAMS,
  upstreamsOf,
} from './cases.ts';
import { ChatSurface } from './chat-surface.ts';
import { commandLineSurface, connectSurface, NOT_SHOWN, recordSurface } from './command-surfaces.ts';
import {
  legacySurface,
  librarySurface,
  modernSurface,
  type Observed,
  openLibrary,
  restSurface,
  type Surface,
  tokenFor,
} from './surfaces.ts';

interface Stage {
  readonly hub: RunningHub;
  readonly library: Host;
  readonly surfaces: ReadonlyMap<string, Surface>;
}

let stage: Stage;
const end: (() => PromiseLike<unknown>)[] = [];

beforeAll(async () => {
  const home = await makeHome();
  end.push(() => home[Symbol.asyncDispose]());
  const webs = await Promise.all((['legacy', 'modern'] as const).map(era => serveHttp(0, { era })));
  for (const web of webs) end.push(() => web.close());
  const [old, fresh] = webs.map(({ url }) => ({ transport: 'http', url }));
  const filtered = (definition: object) => trusted({ ...definition, tools: { deny: ['big'] } });
  const config = {
    version: 1,
    servers: {
      pipe_old: filtered(testServer('--era', 'legacy')),
      pipe_new: filtered(testServer('--era', 'modern')),
      web_old: filtered(old as object),
      web_new: filtered(fresh as object),
      silent: trusted({ ...misbehaving('falls-silent'), tool_timeouts_ms: { hush: 300 } }),
      absent: trusted(misbehaving('dies-early')),
      dying: trusted(misbehaving('dies-in-call')),
    },
    permissions: { deny: ['mcp__*__pid'], ask: ['mcp__*__state', 'mcp__*__log', 'mcp__*__add_prompt'] },
  };
  const path = await home.write('hub.json', config);
  await junctor(home, ['lock', '--config', path, '--isolated', '--data', home.data]);
  await spoilLock(join(home.path, 'junctor.lock'), 'json_response');
  stage = await openStage(home, config);
});

afterAll(async () => {
  for (const close of end.reverse()) await close();
});

/** A hub and a library with the same config, and every surface of them. */
async function openStage(home: Home, written: object): Promise<Stage> {
  const hub = await startHub(home, written);
  end.push(() => hub[Symbol.asyncDispose]());
  const agent = await tokenFor(home, '--agent', 'codex');
  const person = await tokenFor(home, '--name', 'ada');
  const library = await openLibrary(join(home.path, 'hub.json'), join(home.path, 'library'));
  end.push(() => library.close());
  await vi.waitFor(async () => expect((await hub.fetch('/mcp/codex', { token: agent })).status).not.toBe(401), 30_000);
  const config = join(home.path, 'hub.json');
  const connect = await connectSurface(hub, home, agent);
  end.push(() => connect.end());
  const record = recordSurface(home, config);
  end.push(() => record.end());
  const chat = new ChatSurface(home, config);
  end.push(() => chat[Symbol.asyncDispose]());
  const all = [
    librarySurface(library),
    await legacySurface(hub, () => '/mcp/codex', agent),
    modernSurface(hub, () => '/mcp/codex', agent),
    await legacySurface(hub, server => `/servers/${server}/mcp`, agent),
    modernSurface(hub, server => `/servers/${server}/mcp`, agent),
    restSurface(hub, person),
    commandLineSurface({ home, config, data: join(home.path, 'command-line') }),
    commandLineSurface({ home, config, data: home.data, hub }),
    connect,
    record,
    chat,
  ];
  return { hub, library, surfaces: new Map(all.map(surface => [surface.name, surface])) };
}

/** The lockfile says something else of this tool than its server does. */
async function spoilLock(file: string, tool: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const lock = JSON.parse(text);
  for (const { tools } of Object.values(lock.servers) as { tools: Record<string, { fingerprint: string }> }[]) {
    const locked = tools[tool];
    if (locked) locked.fingerprint = locked.fingerprint.replace(/.$/, last => (last === '0' ? '1' : '0'));
  }
  await writeFile(file, JSON.stringify(lock));
}

describe.each(Object.entries(CASES))('a call %s', (_name, one) => {
  promise(['10.1a', '10.1d'], 'is decided, told and written down in the same way at every surface', async () => {
    const observed: unknown[] = [];
    const expected: unknown[] = [];
    for (const server of one.upstreams ?? UPSTREAMS) {
      const ref = { server, tool: one.tool };
      for (const name of SURFACES) {
        if (one.without?.[name] !== undefined) continue;
        if (!one.upstreams && !upstreamsOf(name).includes(server)) continue;
        const surface = stage.surfaces.get(name) as Surface;
        const except = one.except?.[name];
        const note = ({ audit, ...seen }: Observed, wanted: Seen, refusedHere: boolean | undefined): void => {
          observed.push([server, name, seen, audit]);
          const shown = UNAUDITED.has(name) ? { ...wanted, ...NOT_SHOWN } : wanted;
          expected.push([server, name, shown, auditAt(name, refusedHere)]);
        };
        note(await run(surface, ref, one), { ...one.seen(ref), ...except?.seen(ref) }, one.refusedHere);
        if (one.again) {
          const refusedHere = except?.refusedAgain;
          const wanted = { ...one.again(ref), ...(except?.again ?? except?.seen)?.(ref) };
          note(await surface.call(ref, one.args ?? {}, { refusedHere }), wanted, refusedHere);
        }
        if (one.answer === 'always') await surface.revokeAll();
      }
    }
    expect(observed).toEqual(expected);
  });
});

describe('a call whose tool changes while a person is asked', () => {
  promise('10.1d', 'is asked about once more at every surface, and what was approved counts for nothing', async () => {
    const home = await makeHome();
    end.push(() => home[Symbol.asyncDispose]());
    const offer = (description: string) => home.write('lists.json', { tools: [{ name: 'write', description }] });
    await offer('Writes a file.');
    const config = {
      version: 1,
      servers: { changing: trusted({ ...misbehaving('changes-lists', home.path), mode: 'shared' }) },
      permissions: { ask: ['mcp__changing__write'] },
    };
    await home.write('hub.json', config);
    const { hub, library, surfaces } = await openStage(home, config);
    const ref = { server: 'changing', tool: 'write' };
    const announce = { server: 'changing', tool: 'announce' };
    /** The host of the hub, and that of the library, read the list again. */
    const change = async (description: string): Promise<void> => {
      await offer(description);
      const body = { ...announce, arguments: { list: 'tools' } };
      await (await hub.fetch('/api/calls', json(body))).text();
      await library.call(announce, { list: 'tools' });
    };
    for (const name of SURFACES) {
      // Over REST the person approves by calling: nobody is asked.
      if (name === 'REST' || COMMANDS.has(name)) continue;
      const surface = surfaces.get(name) as Surface;
      await change('Writes a file.');
      await Promise.all([library.tools(), rest(hub, '/api/tools')]);
      const asked: string[] = [];
      const onFirstQuestion = () => change('Wipes the disk.');
      const calling = surface.call(ref, {}, { answer: 'deny', onFirstQuestion, asked });
      if (surface.asksInbox) {
        const [open] = (await waiting(hub)) as [Waiting];
        await onFirstQuestion();
        await answer(hub, open.id, { answer: 'always' });
        await expect.poll(async () => (await waiting(hub))[0]?.id).not.toBe(open.id);
        const [again] = (await rest(hub, '/api/approvals')).body.approvals;
        asked.push('', again.because);
        await answer(hub, again.id, { answer: 'deny' });
      }
      expect([name, (await calling).code, asked[1]]).toEqual([
        name,
        'permission_denied',
        'the tool changed while you were asked',
      ]);
    }
    expect((await rest(hub, '/api/grants')).body.grants).toEqual([]);
    expect(await library.grants.list('table')).toEqual([]);
  });
});

function json(body: object): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function auditAt(name: SurfaceName, refusedHere: boolean | undefined): Observed['audit'] {
  if (name === 'library' || UNAUDITED.has(name)) return undefined;
  if (name === 'command line, through a hub')
    return refusedHere ? undefined : { agent: null, person: null, surface: 'server-endpoint' };
  if (name === 'connect') return { agent: 'codex', person: null, surface: 'agent-endpoint' };
  if (name === 'REST') return { agent: null, person: 'ada', surface: 'rest' };
  return { agent: 'codex', person: null, surface: name.startsWith('agent') ? 'agent-endpoint' : 'server-endpoint' };
}

async function run(
  surface: Surface,
  ref: ToolRef,
  { args = {}, answer: said, cancel, refusedHere }: Case,
): Promise<Observed> {
  const { hub } = stage;
  const leaving = new AbortController();
  const calling = surface.call(ref, args, { signal: leaving.signal, answer: said, refusedHere });
  if (said && surface.asksInbox) {
    const [open] = (await waiting(hub)) as [Waiting];
    await answer(hub, open.id, { answer: said });
  }
  if (cancel) {
    if (surface.reached) await surface.reached(ref);
    else if (surface.name !== 'library')
      await expect.poll(async () => (await running()).some(({ sent }) => sent)).toBe(true);
    else await new Promise(resolve => setTimeout(resolve, 300));
    leaving.abort();
  }
  return await calling;
}

async function running(): Promise<{ sent: boolean }[]> {
  return (await rest(stage.hub, '/api/calls?limit=1')).body.running;
}

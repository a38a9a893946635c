/** The page about the architecture says which files a call passes. Calls of every kind are run here, and compared with it. */
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { createHost } from '@junctor/core';
import { makeHome, misbehaving, promise, ROOT, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { answer, type Waiting, waiting } from '../hub/asking.ts';
import { startHubHere } from '../hub/hub-here.ts';
import { rest } from '../hub/rest-client.ts';
import { RawClient } from '../hub/rpc.ts';
import { sdkPeer } from '../hub/sdk-peer.ts';

/** The files of the walk, each with the kinds of calls that pass it. */
function walk(): Map<string, string> {
  const page = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
  const [, section = ''] = page.split('\n## One call\n');
  const [steps = ''] = section.split('\n## ');
  return new Map(
    [...steps.matchAll(/^\d+\. `([^`]+)` \(([^)]+)\)/gm)].map(([, file, kind]) => [file as string, kind as string]),
  );
}

/** Which of our files ran a function meanwhile, and how often `authorize` was asked. */
async function traced(run: () => Promise<unknown>): Promise<{ files: Set<string>; decisions: number }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // What was counted before is taken away.
  await session.post('Profiler.takePreciseCoverage');
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  const ran = (name: string, functions: (typeof result)[number]['functions']) =>
    functions.filter(one => one.functionName === name).reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  const files = new Set<string>();
  let decisions = 0;
  for (const { url, functions } of result) {
    const at = url.indexOf('packages/');
    if (at < 0 || !functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0)) continue;
    const file = url.slice(at).replace(/\?.*$/, '');
    files.add(file);
    if (file.endsWith('permissions/authorize.ts')) decisions += ran('authorize', functions);
  }
  return { files, decisions };
}

promise('10.1r', 'a call passes the files that the architecture page names, and is decided about once', async () => {
  await using home = await makeHome();
  const config = {
    version: 1,
    servers: {
      demo: trusted(testServer('--era', 'legacy')),
      modern: trusted(testServer('--era', 'modern')),
      dying: trusted(misbehaving('dies-in-call')),
    },
    permissions: { ask: ['mcp__demo__state'] },
  };
  const path = await home.write('hub.json', config);
  await using host = await createHost({ path, isolated: true, data: join(home.path, 'library') });
  await using hub = await startHubHere(home, { path, isolated: true });
  const agent = await RawClient.open(hub, '/mcp/codex');
  const server = await RawClient.open(hub, '/servers/demo/mcp');
  await using peer = await sdkPeer(hub, '/mcp/codex', { era: 'legacy' });
  let id = 0;
  const overRest = async () => {
    const body = JSON.stringify({ server: 'demo', tool: 'echo', arguments: { text: 'x' } });
    const headers = { 'content-type': 'application/json' };
    return (await hub.fetch('/api/calls', { method: 'POST', headers, body })).text();
  };
  const approved = async () => {
    const calling = agent.call(++id, 'demo_state', {});
    const [open] = (await waiting(hub)) as [Waiting];
    await answer(hub, open.id, { answer: 'once' });
    return calling;
  };
  const kinds: Record<string, { readonly of: readonly string[]; run(): Promise<unknown> }> = {
    'by the library': { of: ['library'], run: () => host.call('mcp__demo__echo', { text: 'x' }) },
    'at an agent endpoint': {
      of: ['hub', 'agent endpoint'],
      run: () => agent.call(++id, 'demo_echo', { text: 'x' }),
    },
    'at a server endpoint': { of: ['hub', 'server endpoint'], run: () => server.call(++id, 'echo', { text: 'x' }) },
    'over REST': { of: ['library', 'REST'], run: overRest },
    'that is asked about': { of: ['hub', 'agent endpoint', 'asked calls'], run: approved },
    'whose server asks': {
      // Each round is sent anew: what became of the earlier ones is kept.
      of: ['hub', 'agent endpoint', 'asking servers', 'lost calls'],
      run: () => peer.client.callTool({ name: 'modern_ask_person', arguments: {} }),
    },
    'whose server dies': {
      of: ['library', 'lost calls'],
      run: () => host.call('mcp__dying__crash', {}).catch(() => {}),
    },
  };
  await host.tools();
  const named = walk();
  expect(named.size).toBeGreaterThan(10);
  for (const [kind, { of, run }] of Object.entries(kinds)) {
    // The first one loads what calls need.
    await run();
    // What is still to be written down of it is not a part of the next one.
    await rest(hub, '/api/calls');
    const { files, decisions } = await traced(run);
    const passed = [...named.keys()].filter(file => files.has(file));
    const expected = [...named]
      .filter(([, calls]) => calls === 'every call' || of.includes(calls))
      .map(([file]) => file);
    expect([kind, passed, decisions]).toEqual([kind, expected, 1]);
  }
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeHome, promise, testServer } from '@junctor/testkit';
import { oldServer } from '@junctor/testkit/peers';
import { serveHttp, serveSse } from '@junctor/testkit/test-server';
import { expect } from 'vitest';
import { doctor, step } from './doctor-report.ts';

promise('7.13b', 'both eras are tried, and the one that is used is told', async () => {
  await using home = await makeHome();
  const diaries = { silent: join(home.path, 'silent'), dies: join(home.path, 'dies') };
  await using open = new AsyncDisposableStack();
  const http = open.adopt(await serveHttp(0, { era: 'legacy' }), one => one.close());
  const sse = open.adopt(await serveSse(0, {}), one => one.close());
  await home.write('config/junctor/config.json', {
    version: 1,
    servers: {
      both: testServer(),
      modern: testServer('--era', 'modern'),
      legacy: testServer('--era', 'legacy'),
      silent: oldServer('silent', diaries.silent),
      dies: oldServer('dies', diaries.dies),
      http: { transport: 'http', url: http.url },
      sse: { transport: 'http', url: sse.url },
      insists: { ...testServer('--era', 'legacy'), protocol: 'modern' },
    },
  });
  const report = await doctor(home);
  const eras = report.servers.map(({ id }) => {
    const { outcome, legacy, modern, uses } = step(report, id, 'eras');
    return [id, outcome, legacy, modern, uses];
  });
  expect(eras).toEqual([
    ['both', 'ok', '2025-11-25', '2026-07-28', '2026-07-28'],
    ['modern', 'ok', null, '2026-07-28', '2026-07-28'],
    ['legacy', 'ok', '2025-11-25', null, '2025-11-25'],
    ['silent', 'ok', '2025-03-26', null, '2025-03-26'],
    ['dies', 'ok', '2025-03-26', null, '2025-03-26'],
    ['http', 'ok', '2025-11-25', null, '2025-11-25'],
    ['sse', 'ok', '2025-11-25', null, '2025-11-25'],
    ['insists', 'no', '2025-11-25', null, null],
  ]);
  expect(report.fix).toEqual([
    { server: 'insists', fix: 'set "protocol": "auto" on server \'insists\'' },
    { server: 'sse', fix: 'save a request at each start: set "transport": "sse" on server \'sse\'' },
  ]);
  expect(report.code).toBe(1);
  // Each try begins when the one before it has ended: first as Junctor does it, which takes two starts here, then the other.
  expect((await readFile(diaries.dies, 'utf8')).trimEnd().split('\n')).toEqual([
    ...['start', 'server/discover'],
    ...['start', 'initialize', 'notifications/initialized', 'tools/list'],
    ...['start', 'server/discover'],
  ]);
});

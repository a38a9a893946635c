import { makeHome, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { settled } from './settled.ts';

const ROUNDS = 25;

describe('servers that come and go', () => {
  test('a server disabled or removed while its lists are read never ends the hub', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: { demo: trusted(testServer()) } });
    await settled(hub);
    const send = async (method: string, path: string, body?: object): Promise<number> => {
      const headers = { 'content-type': 'application/json' };
      const answer = await hub.fetch(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      await answer.arrayBuffer();
      return answer.status;
    };
    let changing = true;
    const readLists = async (): Promise<void> => {
      while (changing) await Promise.all(['/api/tools', '/api/servers', '/api/status'].map(path => send('GET', path)));
    };
    const reading = readLists();
    for (let round = 0; round < ROUNDS; round++) {
      // Each round stops at another moment of the server's start.
      const statuses = [await send('POST', '/api/servers', { id: 'more', definition: testServer() })];
      await new Promise(resolve => setTimeout(resolve, round * 10));
      statuses.push(await send('PATCH', '/api/servers/more', { enabled: false }));
      statuses.push(await send('DELETE', '/api/servers/more'));
      expect(statuses).toEqual([201, 200, 200]);
    }
    changing = false;
    await reading;
    expect(hub.process.exitCode).toBeNull();
  });
});

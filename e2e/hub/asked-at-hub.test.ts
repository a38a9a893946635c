/** Who learns that a call waits at the hub, and where an answer given in a terminal counts. */
import { junctor, makeHome, promise, startHub } from '@junctor/testkit';
import { expect } from 'vitest';
import { missingTerminal, startAtTerminal } from '../sign-in/at-terminal.ts';
import { ASKING, answer, resultOf, said, type Waiting, waiting } from './asking.ts';
import { RawClient } from './rpc.ts';

promise('7.3l', 'the hub prints a line for each call that waits, with the command that lists them', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, ASKING);
  const client = await RawClient.open(hub, '/mcp/codex');
  const calling = client.call(1, 'demo_echo', { text: 'hi' });
  const [open] = (await waiting(hub)) as [Waiting];
  const line = `INFO: codex waits for approval to call demo/echo: junctor approvals --data ${home.data}`;
  await expect.poll(() => hub.stderr()).toContain(line);
  await answer(hub, open.id, { answer: 'once' });
  expect(resultOf(await calling)).toEqual(said('hi'));
});

promise(
  '7.3m',
  'always, given in a terminal for every agent, counts at the hub and is revoked there',
  async context => {
    const missing = missingTerminal();
    if (missing) return context.skip(missing);
    await using home = await makeHome();
    await using hub = await startHub(home, ASKING);
    const file = await home.write('same.json', ASKING);
    const words = ['mcp', 'call', 'demo', 'echo', '--args', `'{"text":"mine"}'`];
    const command = startAtTerminal(home, [...words, '--config', file, '--isolated', '--data', home.data]);
    await command.shows(/(Allow it\? .*always for \(e\)very agent)/);
    command.type('e\r');
    expect((await command.ended).code).toBe(0);
    const client = await RawClient.open(hub, '/mcp/codex');
    expect(resultOf(await client.call(1, 'demo_echo', { text: 'not asked' }))).toEqual(said('not asked'));
    const grants = async () => JSON.parse((await junctor(home, ['approvals', 'grants', '--json'])).stdout).grants;
    const [grant] = await grants();
    expect(grant).toMatchObject({ server: 'demo', tool: 'echo', agent: null });
    expect((await junctor(home, ['trust', 'list'])).stdout).toContain(
      `demo/echo  approved  ${home.data}/grants.json\n`,
    );
    expect((await junctor(home, ['approvals', 'revoke', grant.id])).code).toBe(0);
    expect(await grants()).toEqual([]);
    const asked = client.call(2, 'demo_echo', { text: 'asked' });
    const [open] = (await waiting(hub)) as [Waiting];
    await answer(hub, open.id, { answer: 'deny' });
    expect(resultOf(await asked)).toMatchObject({ isError: true });
  },
);

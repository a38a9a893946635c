/** What `junctor connect` says of calls and questions that were open when the hub ended. */
import { once } from 'node:events';
import { type Home, makeHome, promise, type RunningHub, startHub } from '@junctor/testkit';
import { expect } from 'vitest';
import { ASKING, answer, waiting } from './asking.ts';
import { type Line, rawConnect, toolCall } from './raw-connect.ts';
import { settled } from './settled.ts';

async function killed(hub: RunningHub): Promise<void> {
  hub.process.kill('SIGKILL');
  await once(hub.process, 'exit');
}

async function askingHub(home: Home): Promise<RunningHub> {
  const hub = await startHub(home, { ...ASKING, agents: { codex: { approves_in_client: true } } });
  await settled(hub);
  return hub;
}

const isQuestion = ({ method }: Line): boolean => method === 'elicitation/create';
const approved = (id: unknown): object => ({
  jsonrpc: '2.0',
  id,
  result: { action: 'accept', content: { answer: 'once' } },
});

promise('7.3k', 'a late answer to a question of the last hub does not answer one of the next', async () => {
  await using home = await makeHome();
  const first = await askingHub(home);
  await using client = await rawConnect(home, { capabilities: { elicitation: {} } });
  client.say(toolCall('harmless', 'demo_echo', { text: 'harmless' }));
  const old = await client.line(isQuestion);
  await killed(first);
  // The client is asked no more, and the call was not sent.
  expect(await client.line(({ method }) => method === 'notifications/cancelled')).toMatchObject({
    params: { requestId: old.id },
  });
  expect((await client.line(({ id }) => id === 'harmless')).error).toMatchObject({
    message: 'The hub ended while this call waited for approval: it was not sent to a server',
    data: { outcome: 'not_sent' },
  });
  await using next = await askingHub(home);
  client.say(toolCall('dangerous', 'demo_echo', { text: 'dangerous' }));
  const asked = await client.line(line => isQuestion(line) && line !== old);
  expect(asked.id).not.toBe(old.id);
  client.say(approved(old.id));
  // What is said after it has arrived after it.
  client.say({ jsonrpc: '2.0', id: 'after', method: 'ping' });
  await client.line(({ id }) => id === 'after');
  expect(await waiting(next)).toHaveLength(1);
  client.say({ jsonrpc: '2.0', id: asked.id, result: { action: 'decline' } });
  expect((await client.line(({ id }) => id === 'dangerous')).result?.isError).toBe(true);
});

promise('8.18c', 'a call that waited in the inbox was not sent; one that ran may have been', async () => {
  await using home = await makeHome();
  const hub = await askingHub(home);
  await using client = await rawConnect(home);
  client.say(toolCall('runs', 'demo_slow', { ms: 60_000 }));
  const [running] = await waiting(hub);
  await answer(hub, running?.id ?? '', { answer: 'once' });
  await waiting(hub, 0);
  client.say(toolCall('waits', 'demo_echo', { text: 'x' }));
  await waiting(hub, 1);
  await killed(hub);
  expect((await client.line(({ id }) => id === 'waits')).error?.data).toMatchObject({ outcome: 'not_sent' });
  expect((await client.line(({ id }) => id === 'runs')).error).toMatchObject({
    message: 'The hub ended while this request ran: whether a server acted on it is not known',
    data: { outcome: 'unknown' },
  });
  // What the hub says to connect alone is not for clients.
  expect(client.lines.filter(({ method }) => method?.startsWith('notifications/junctor/'))).toEqual([]);
});

import { type Home, junctor, makeHome, promise, testServer } from '@junctor/testkit';
import { serveHttp } from '@junctor/testkit/test-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ASKING, answer, said, verdicts, type Waiting, waiting, withHub } from './asking.ts';
import { handClock } from './hand-clock.ts';
import { startHubHere } from './hub-here.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';
import { type Elicited, type Era, sdkPeer } from './sdk-peer.ts';

const ERAS: readonly Era[] = ['legacy', 'modern'];

/** Approvals in its own client count only where the config of the agent allows that. */
const IN_CLIENT = { agents: { codex: { approves_in_client: true } } };

describe.each(ERAS)('a client of the %s era that can ask its person', era => {
  promise('12.6i', 'shows both ends of a long argument, and all of it to a person who asks for that', async () => {
    await withHub(
      async hub => {
        const text = `${'harmless '.repeat(200)}; rm -rf / #the end`;
        const messages: string[] = [];
        const elicit = (message: string): Elicited => {
          messages.push(message);
          return { action: 'accept', content: { answer: messages.length === 1 ? 'show' : 'once' } };
        };
        await using peer = await sdkPeer(hub, '/mcp/codex', { era, elicit });
        const called = await peer.client.callTool({ name: 'demo_echo', arguments: { text } });
        expect(called).toMatchObject(said(text));
        expect(messages).toEqual([
          expect.stringMatching(/text: harmless .*… \(\d+ of \d+ characters left out\) ….*; rm -rf \/ #the end$/),
          expect.stringContaining(`text: ${text}`),
        ]);
      },
      { config: { ...ASKING, ...IN_CLIENT } },
    );
  });

  promise(['7.3e', '7.3j'], 'is asked itself; what is settled in one place is settled in all', async () => {
    await withHub(
      async hub => {
        const questions: string[] = [];
        let reply: () => Promise<Elicited>;
        const elicit = (message: string) => {
          questions.push(message);
          return reply();
        };
        await using peer = await sdkPeer(hub, '/mcp/codex', { era, elicit });
        const call = (text: string) =>
          peer.client.callTool({ name: 'demo_echo', arguments: { text, token: 'tok-0123456789' } });
        reply = async () => ({ action: 'accept', content: { answer: 'once' } });
        expect(await call('in the client')).toMatchObject(said('in the client'));
        expect(questions).toEqual([
          'May demo/echo be called? (the rule ask mcp__demo__*)\ntext: in the client\ntoken: •••',
        ]);
        await waiting(hub, 0);
        reply = async () => ({ action: 'decline' });
        expect(await call('x')).toMatchObject({
          ...said('demo/echo was denied by a person. (permission_denied)'),
          isError: true,
        });
        reply = async () => ({ action: 'accept', content: { answer: 'deny', note: 'Never.' } });
        expect(await call('x')).toMatchObject({
          ...said('demo/echo was denied by a person: Never. (permission_denied)'),
          isError: true,
        });
        // A form that is closed says nothing: others may still answer.
        reply = async () => ({ action: 'cancel' });
        const closed = call('elsewhere');
        const [open] = (await waiting(hub)) as [Waiting];
        expect((await answer(hub, open.id, { answer: 'once' })).status).toBe(200);
        expect(await closed).toMatchObject(said('elsewhere'));
        // Answered elsewhere first: what the client says later counts no more.
        const late = Promise.withResolvers<Elicited>();
        reply = () => late.promise;
        const overtaken = call('first');
        const [asked] = (await waiting(hub)) as [Waiting];
        expect((await answer(hub, asked.id, { answer: 'deny' })).status).toBe(200);
        await waiting(hub, 0);
        late.resolve({ action: 'accept', content: { answer: 'always' } });
        expect(await overtaken).toMatchObject({
          ...said('demo/echo was denied by a person. (permission_denied)'),
          isError: true,
        });
        expect((await rest(hub, '/api/grants')).body.grants).toEqual([]);
        // For the session: it is not asked again.
        reply = async () => ({ action: 'accept', content: { answer: 'session' } });
        await call('x');
        const before = questions.length;
        expect(await call('not asked')).toMatchObject(said('not asked'));
        expect(questions.length).toBe(before);
        const rows = (await verdicts(hub)) as string[][];
        const settled = rows.filter(([verdict]) => verdict !== 'ask');
        expect(settled.map(([verdict, because]) => [verdict, because])).toEqual([
          ['once', 'answered in the client of codex (calls itself peer-Ada)'],
          ['deny', 'answered in the client of codex (calls itself peer-Ada)'],
          ['deny', 'answered in the client of codex (calls itself peer-Ada)'],
          ['once', 'answered over REST'],
          ['deny', 'answered over REST'],
          ['session', 'answered in the client of codex (calls itself peer-Ada)'],
          ['allow', 'it was allowed for this session'],
        ]);
      },
      { config: { ...ASKING, ...IN_CLIENT } },
    );
  });

  test.each(ERAS)('is asked once, whatever a server of the %s era asks then', async server => {
    const web = await serveHttp(0, { era: server });
    onTestFinished(() => web.close());
    const config = {
      ...IN_CLIENT,
      version: 1,
      servers: { web: { transport: 'http', url: web.url }, pipe: testServer('--era', server) },
    };
    await withHub(
      async (hub, home) => {
        const token = await agentToken(home);
        const questions: string[] = [];
        const elicit = (message: string) => {
          const isOurs = message.startsWith('May ');
          questions.push(isOurs ? 'may it run' : 'of the server');
          return { action: 'accept' as const, content: isOurs ? { answer: 'once' } : { name: 'Ada', colour: 'blue' } };
        };
        for (const [path, name] of [
          ['/mcp/codex', 'pipe_ask_person'],
          ['/servers/web/mcp', 'ask_person'],
        ] as const) {
          await using peer = await sdkPeer(hub, path, { era, elicit, token });
          const { content } = (await peer.client.callTool({ name, arguments: {} })) as { content: { text: string }[] };
          expect([content[0]?.text.includes('Ada'), questions.splice(0)]).toEqual([
            true,
            ['may it run', 'of the server'],
          ]);
        }
      },
      { config },
    );
  });
});

describe('a client', () => {
  test('that lost its stream and does not come back within 30 s has its question withdrawn', async () => {
    await using home = await makeHome();
    const clock = handClock();
    const path = await home.write('hub.json', ASKING);
    await using hub = await startHubHere(home, { path, isolated: true, clock });
    const client = await RawClient.open(hub, '/mcp/codex');
    const call = async (id: number): Promise<[AbortController, string]> => {
      const leaving = new AbortController();
      const params = { name: 'demo_echo', arguments: { text: 'x' }, _meta: { progressToken: id } };
      const response = await client.post({ id, method: 'tools/call', params }, leaving.signal);
      const first = await response.body?.getReader().read();
      const [, event = ''] = /^id: (.*)$/m.exec(Buffer.from(first?.value ?? []).toString()) ?? [];
      return [leaving, event];
    };
    const [gone] = await call(1);
    await waiting(hub);
    // The question waits for its end; once the client is gone, the hub waits for the client too.
    await expect.poll(() => clock.pending).toBe(1);
    gone.abort();
    await expect.poll(() => clock.pending).toBe(2);
    clock.pass(29_999);
    await waiting(hub);
    clock.pass(1);
    await waiting(hub, 0);
    // One that takes its stream up again gets its answer there.
    const [lost, event] = await call(2);
    const [open] = (await waiting(hub)) as [Waiting];
    await expect.poll(() => clock.pending).toBe(1);
    lost.abort();
    await expect.poll(() => clock.pending).toBe(2);
    const headers = { accept: 'text/event-stream', 'mcp-session-id': client.session, 'last-event-id': event };
    const back = await hub.fetch('/mcp/codex', { headers });
    clock.pass(30_000);
    await answer(hub, open.id, { answer: 'once' });
    expect(await back.text()).toContain('"result":{"content":[{"type":"text","text":"x"}]}');
  });

  promise(
    ['10.2a', '10.2b'],
    'approves its own calls only where its config allows it, never for always, at every endpoint',
    async () => {
      const paths = [
        ['/mcp/codex', 'demo_echo'],
        ['/servers/demo/mcp', 'echo'],
      ] as const;
      const always = () => ({ action: 'accept' as const, content: { answer: 'always' } });
      // Without a word about it in the config, only the inbox answers.
      await withHub(async (hub, home) => {
        const token = await agentToken(home);
        for (const [path, name] of paths) {
          for (const era of ERAS) {
            await using peer = await sdkPeer(hub, path, { era, token, elicit: always });
            const calling = peer.client.callTool({ name, arguments: { text: 'x' } });
            const [open] = (await waiting(hub)) as [Waiting];
            expect(open.agent).toBe('codex');
            await answer(hub, open.id, { answer: 'once' });
            expect(await calling).toMatchObject(said('x'));
            expect(peer.asked).toEqual([]);
          }
        }
      });
      // Where it does, 'always' is refused with the reason, and the question stays open in the inbox.
      await withHub(
        async (hub, home) => {
          const token = await agentToken(home);
          for (const [path, name] of paths) {
            for (const era of ERAS) {
              const messages: string[] = [];
              const elicit = (message: string) => {
                messages.push(message.split('\n')[0] as string);
                return always();
              };
              await using peer = await sdkPeer(hub, path, { era, token, elicit });
              const calling = peer.client.callTool({ name, arguments: { text: 'x' } });
              await expect.poll(() => messages.length).toBe(2);
              const [open] = (await waiting(hub)) as [Waiting];
              await answer(hub, open.id, { answer: 'deny' });
              expect(await calling).toMatchObject({ isError: true });
              expect(messages).toEqual([
                'May demo/echo be called? (the rule ask mcp__demo__*)',
                "'always' cannot be chosen inside a client: answer once or session here, or always in the inbox of the hub.",
              ]);
            }
          }
          expect((await rest(hub, '/api/grants')).body.grants).toEqual([]);
        },
        { config: { ...ASKING, ...IN_CLIENT } },
      );
    },
  );
});

async function agentToken(home: Home, agent = 'codex'): Promise<string> {
  return (await junctor(home, ['hub', 'token', '--agent', agent, '--data', home.data])).stdout.trim();
}

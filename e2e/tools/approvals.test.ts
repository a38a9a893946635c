import { once } from 'node:events';
import {
  createHost,
  type Host,
  type HostEvent,
  type HostOptions,
  type PendingApproval,
  type Question,
} from '@junctor/core';
import { makeHome, promise, testServer } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

const echo = { server: 'demo', tool: 'echo' };

async function waitingHost(options: HostOptions = {}): Promise<{ host: Host; heard: HostEvent[] } & AsyncDisposable> {
  const home = await makeHome();
  const host = await createHost({
    config: { servers: { demo: testServer() } },
    data: home.data,
    approvals: {},
    ...options,
  });
  const heard: HostEvent[] = [];
  host.events.listen(event => {
    if (event.type.startsWith('approval-')) heard.push(event);
  });
  return {
    host,
    heard,
    async [Symbol.asyncDispose]() {
      await host.close();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** The next question that is opened. */
function nextQuestion(host: Host): Promise<PendingApproval> {
  return new Promise(resolve => {
    const stop = host.events.on('approval-requested', ({ approval_id }) => {
      stop();
      resolve(host.approvals.list().find(({ id }) => id === approval_id) as PendingApproval);
    });
  });
}

describe('a call that needs a yes', () => {
  promise(
    ['7.3f', '7.3g'],
    'is an open question that any surface may answer once, for the session, always, or for a pattern',
    async () => {
      await using waiting = await waitingHost();
      const { host, heard } = waiting;
      const answers = ['once', 'deny', { scope: 'session', when: 'text=/tmp/*' }, 'always'] as const;
      const outcomes: unknown[] = [];
      for (const answer of answers) {
        const question = nextQuestion(host);
        const calling = host.call(echo, { text: '/tmp/a', password: 'hunter2' });
        const { id, ...shown } = await question;
        expect(shown).toEqual({
          ...echo,
          args: { text: '/tmp/a', password: '•••' },
          because: "no rule covers it, and server 'demo' is not trusted",
          since: expect.any(Date),
          expires: new Date(shown.since.getTime() + 5 * 60_000),
        });
        expect(host.approvals.answer(id, answer)).toBe(true);
        outcomes.push((await calling).success);
        expect(host.approvals.list()).toEqual([]);
        if (typeof answer === 'object') {
          // The same pattern is not asked about again; anything else is.
          expect((await host.call(echo, { text: '/tmp/b' })).output).toBe('/tmp/b');
          expect(host.approvals.list()).toEqual([]);
          await host.grants.revoke(echo);
        }
      }
      expect(outcomes).toEqual([true, false, true, true]);
      expect(await host.grants.list()).toMatchObject([{ ...echo, scope: 'always' }]);
      const answered = heard.flatMap(event => (event.type === 'approval-answered' ? event.outcome : []));
      expect(answered).toEqual(['once', 'deny', 'session', 'always']);
      expect(heard[0]).toMatchObject({
        type: 'approval-requested',
        ...echo,
        args: { password: '•••' },
        since: expect.any(String),
      });
    },
  );

  test('is settled in all places by the first answer, wherever it is given', async () => {
    const shown: Question[] = [];
    const ask = async (question: Question) => {
      shown.push(question);
      await once(question.signal as never, 'abort');
      return true;
    };
    await using waiting = await waitingHost({ ask });
    const { host } = waiting;
    const question = nextQuestion(host);
    const calling = host.call(echo, { text: 'a' });
    const { id } = await question;
    expect([host.approvals.answer(id, 'deny'), host.approvals.answer(id, 'once')]).toEqual([true, false]);
    expect(await calling).toMatchObject({ denied: true });
    expect(shown.map(one => [one.id, one.signal?.aborted])).toEqual([[id, true]]);
  });

  test('takes the answer of ask as one among others', async () => {
    await using waiting = await waitingHost({ ask: async () => 'once' });
    const { host, heard } = waiting;
    expect((await host.call(echo, { text: 'a' })).output).toBe('a');
    expect(heard.map(({ type }) => type)).toEqual(['approval-requested', 'approval-answered']);
    expect(host.approvals.list()).toEqual([]);
  });

  test('is denied when nobody answers in time: it fails closed', async () => {
    await using waiting = await waitingHost({ approvals: { waitMs: 20 } });
    const { host, heard } = waiting;
    expect(await host.call(echo, { text: 'a' })).toMatchObject({
      success: false,
      denied: true,
      error: 'demo/echo needs approval, and nobody answered within 20 ms. (approval_required)',
    });
    expect(heard.at(-1)).toMatchObject({ type: 'approval-answered', outcome: 'expired' });
    expect(host.approvals.answer((heard[0] as { approval_id: string }).approval_id, 'once')).toBe(false);
  });

  test('stays open when one surface fails and others may answer', async () => {
    await using waiting = await waitingHost({
      ask: async () => {
        throw new Error('the terminal is gone');
      },
    });
    const { host } = waiting;
    const question = nextQuestion(host);
    const calling = host.call(echo, { text: 'a' });
    host.approvals.answer((await question).id, 'once');
    expect((await calling).output).toBe('a');
  });

  test('is withdrawn when the call is given up, or the host is closed', async () => {
    await using waiting = await waitingHost();
    const { host, heard } = waiting;
    const giveUp = new AbortController();
    const first = nextQuestion(host);
    const calling = host.call(echo, { text: 'a' }, { signal: giveUp.signal });
    await first;
    giveUp.abort();
    await expect(calling).rejects.toMatchObject({ code: 'cancelled', outcome: 'not_sent' });
    expect(host.approvals.list()).toEqual([]);
    const second = nextQuestion(host);
    const late = host.call(echo, { text: 'b' });
    const closed = expect(late).rejects.toMatchObject({ code: 'cancelled' });
    await second;
    await host.close();
    await closed;
    expect(heard.flatMap(event => ('outcome' in event ? event.outcome : []))).toEqual(['withdrawn', 'withdrawn']);
  });

  test('does not take an answer that is none, and stays open', async () => {
    await using waiting = await waitingHost();
    const { host } = waiting;
    const question = nextQuestion(host);
    const calling = host.call(echo, { text: 'a' });
    const { id } = await question;
    for (const answer of ['maybe', { scope: 'forever' }, { scope: 'always', when: 'text=b' }, 1])
      expect(() => host.approvals.answer(id, answer as never)).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(host.approvals.list()).toHaveLength(1);
    host.approvals.answer(id, false);
    expect(await calling).toMatchObject({ denied: true });
    expect(host.approvals.answer('no such question', 'once')).toBe(false);
  });

  test('fails at once where nobody can be asked', async () => {
    await using waiting = await waitingHost({ approvals: { attended: false } });
    await expect(waiting.host.call(echo, {})).rejects.toMatchObject({ code: 'approval_required', outcome: 'not_sent' });
  });
});

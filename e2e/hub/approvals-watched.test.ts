import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { JUNCTOR, promise } from '@junctor/testkit';
import { describe, expect, onTestFinished } from 'vitest';
import { missingTerminal, startAtTerminal } from '../sign-in/at-terminal.ts';
import { answer, resultOf, said, type Waiting, waiting, withHub } from './asking.ts';
import { RawClient } from './rpc.ts';

describe('whoever watches', () => {
  promise(['7.3j'], 'is told of a question, and of its end wherever it is answered', async () => {
    await withHub(async (hub, home) => {
      const words = [JUNCTOR, 'approvals', '--watch', '--json', '--data', home.data];
      const watching = spawn(process.execPath, words, { env: home.env, stdio: ['ignore', 'pipe', 'pipe'] });
      onTestFinished(() => void watching.kill('SIGKILL'));
      const heard = { stdout: '', stderr: '' };
      for (const stream of ['stdout', 'stderr'] as const) {
        watching[stream].setEncoding('utf8').on('data', text => {
          heard[stream] += text;
        });
      }
      const events = await hub.fetch('/api/events?types=approval-requested,approval-answered');
      const client = await RawClient.open(hub, '/mcp/codex');
      const calling = client.call(1, 'demo_echo', { text: 'x', api_key: 'tok-0123456789' });
      const [open] = (await waiting(hub)) as [Waiting];
      // A whole document: its first bytes may come alone.
      await expect.poll(() => heard.stdout).toMatch(/}\n$/);
      expect(JSON.parse(heard.stdout)).toMatchObject({ id: open.id, agent: 'codex', arguments: { api_key: '•••' } });
      await answer(hub, open.id, { answer: 'once', from: 'page' });
      await expect.poll(() => heard.stderr).toBe(`${open.id.slice(0, 8)} is settled: once, over REST\n`);
      expect(resultOf(await calling)).toEqual(said('x'));
      let streamed = '';
      for await (const chunk of events.body ?? []) {
        streamed += Buffer.from(chunk).toString();
        if (/approval-answered[\s\S]*\n\n/.test(streamed)) break;
      }
      const [requested, answered] = [...streamed.matchAll(/^data: (.*)$/gm)].map(([, data]) =>
        JSON.parse(data as string),
      );
      const about = { approval_id: open.id, agent: 'codex', server: 'demo', tool: 'echo' };
      expect(requested).toMatchObject({ ...about, args: { text: 'x', api_key: '•••' } });
      expect(answered).toMatchObject({ ...about, outcome: 'once', by: 'over REST' });
      watching.kill('SIGINT');
      expect(await once(watching, 'exit')).toEqual([130, null]);
    });
  });

  promise(
    ['7.3b', '7.3j'],
    'answers at a terminal; a question that is settled elsewhere is taken back',
    async context => {
      const missing = missingTerminal();
      if (missing) return context.skip(missing);
      await withHub(async (hub, home) => {
        const watching = startAtTerminal(home, ['approvals', '--watch', '--data', home.data]);
        const client = await RawClient.open(hub, '/mcp/codex');
        const elsewhere = client.call(1, 'demo_echo', { text: 'first' });
        await watching.shows(/Call 'echo' on server 'demo'\? \(the rule ask mcp__demo__\* for agent 'codex'\)/);
        await watching.shows(/Allow it\?/);
        const [open] = (await waiting(hub)) as [Waiting];
        await answer(hub, open.id, { answer: 'once' });
        expect(resultOf(await elsewhere)).toEqual(said('first'));
        await watching.shows(/is settled: once, over REST/);
        const here = client.call(2, 'demo_echo', { text: 'second' });
        await watching.shows(/text: "second"[\s\S]*Allow it\?/);
        watching.type('s\r');
        expect(resultOf(await here)).toEqual(said('second'));
        await watching.shows(/is settled: session, in the terminal/);
        const left = client.call(3, 'demo_fail', {});
        await watching.shows(/Call 'fail' on server 'demo'[\s\S]*Allow it\?/);
        watching.type('\u0003');
        const { code, seen } = await watching.ended;
        expect([code, seen.split('Allow it?').at(-1)]).toEqual([
          130,
          expect.not.stringMatching(/Node\.js|at .*:\d+:\d+/),
        ]);
        const [unanswered] = (await waiting(hub)) as [Waiting];
        await answer(hub, unanswered.id, { answer: 'deny' });
        await left;
      });
    },
  );
});

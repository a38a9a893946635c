import { describe, expect, test } from 'vitest';
import { beginLine, endLine, sentLine } from './journal-lines.ts';
import { recoveredCalls } from './recovery.ts';

const call = (sent: boolean) => ({
  started: 5,
  caller: { bearer: 'agent', agent: 'codex', session: 's"1', person: 'ada', surface: 'agent-endpoint', project: '/p' },
  server: 'demo',
  tool: 'echo\n',
  verdict: 'allow',
  sent,
});

describe('what a journal leaves behind', () => {
  test('is a definite outcome for every call, whatever was written last', () => {
    const whole = [
      beginLine('a', call(false)),
      beginLine('b', call(false)),
      sentLine('b'),
      beginLine('c', call(true)),
      beginLine('d', call(true)),
      endLine('d', { outcome: 'done', failed: true, code: 'tool_failed', bytes: 7 }, 1.5),
      endLine('never begun', { outcome: 'done', failed: false, bytes: 1 }, 1),
    ].join('');
    const outcomes = (text: string) =>
      recoveredCalls(text).map(({ call_id, outcome, code }) => [call_id, outcome, code]);
    expect(outcomes(whole)).toEqual([
      ['a', 'not_sent', 'connection_lost'],
      ['b', 'unknown', 'connection_lost'],
      ['c', 'unknown', 'connection_lost'],
      ['d', 'done', 'tool_failed'],
    ]);
    expect(recoveredCalls(whole)[3]).toEqual({
      call_id: 'd',
      bearer: 'agent',
      agent: 'codex',
      person: 'ada',
      surface: 'agent-endpoint',
      project: '/p',
      session: 's"1',
      server: 'demo',
      tool: 'echo\n',
      verdict: 'allow',
      because: '',
      started: 5,
      ms: 1.5,
      bytes_in: 0,
      bytes_out: 7,
      outcome: 'done',
      failed: 1,
      code: 'tool_failed',
      arguments: null,
    });
    // Cut off anywhere, it never fails, and says nothing about a call that is not there.
    for (let length = 0; length <= whole.length; length++) {
      for (const [, outcome] of outcomes(whole.slice(0, length)))
        expect(['not_sent', 'unknown', 'done']).toContain(outcome);
    }
    expect(outcomes('garbage\n{}\n[1]\nnull\n')).toEqual([]);
  });
});

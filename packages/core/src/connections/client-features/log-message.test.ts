import { describe, expect, test } from 'vitest';
import { Log } from '../../base/log/log.ts';
import { Redactor } from '../../base/log/redact.ts';
import { readLogMessage, type ServerLogMessage, writeLogMessage } from './log-message.ts';

function linesOf(...messages: readonly ServerLogMessage[]): string[] {
  const lines: string[] = [];
  const redactor = new Redactor();
  redactor.learn('a-secret-value');
  const log = new Log({ level: 'debug', write: line => lines.push(line), redactor });
  for (const message of messages) writeLogMessage(log, message);
  return lines;
}

describe('a log message of a server', () => {
  test.each([
    [{ level: 'info', data: 'x' }, undefined, { server: 's', level: 'info', data: 'x' }],
    [{ level: 'info', data: 'x', logger: 'db' }, 'info', { server: 's', level: 'info', logger: 'db', data: 'x' }],
    [{ level: 'alert', data: { a: 1 } }, 'error', { server: 's', level: 'alert', data: { a: 1 } }],
    [{ level: 'notice', data: 'x' }, 'warning', undefined],
    [{ level: 'loud', data: 'x' }, undefined, undefined],
    [undefined, undefined, undefined],
  ] as const)('%j asked for from %s is %j', (params, least, message) => {
    expect(readLogMessage('s', params, least)).toEqual(message);
  });

  test('is written at our level for it, as one harmless and bounded line', () => {
    const levels = linesOf(
      { server: 's', level: 'notice', data: 'x' },
      { server: 's', level: 'warning', data: 'x' },
      { server: 's', level: 'emergency', data: { deep: 'x' } },
    );
    expect(levels).toEqual([
      'INFO: a server logs {"server":"s","server_level":"notice","text":"x"}',
      'WARN: a server logs {"server":"s","server_level":"warning","text":"x"}',
      'ERROR: a server logs {"server":"s","server_level":"emergency","text":"{\\"deep\\":\\"x\\"}"}',
    ]);
    const [nasty, long, secret] = linesOf(
      { server: 's', level: 'info', logger: 'a\u001b[31m', data: 'red\u001b[2J\u009b1m\u202e\nERROR: not ours\u0000' },
      { server: 's', level: 'info', data: 'x'.repeat(1_000_000) },
      { server: 's', level: 'info', data: 'token a-secret-value' },
    );
    expect(nasty).toBe(
      'INFO: a server logs {"server":"s","server_level":"info","logger":"a[31m","text":"red[2J1m ERROR: not ours"}',
    );
    expect(long?.length).toBeLessThan(5000);
    expect(secret).not.toContain('a-secret-value');
  });
});

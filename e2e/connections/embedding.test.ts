/** A program that embeds a host: its own mistakes and failures cost it no more than they must, and are told. */
import { createHost, isJunctorError } from '@junctor/core';
import { testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

const demo = trusted(testServer());

describe('an embedding program', () => {
  test('whose listener fails, at once or later, reads it in the log, and goes on', async () => {
    const lines: string[] = [];
    await using host = await createHost({
      config: { version: 1, servers: { demo } },
      log: { write: line => lines.push(line) },
    });
    host.events.on('tool-call-begin', () => {
      throw new Error('no disk');
    });
    // An unhandled rejection would end the program, and fails this test.
    host.events.on('tool-call-end', async () => {
      throw new Error('no network');
    });
    expect((await host.call('mcp__demo__echo', { text: 'hello' })).output).toBe('hello');
    await expect
      .poll(() => lines)
      .toEqual([
        'ERROR: a listener failed {"event":"tool-call-begin","error":"no disk"}',
        'ERROR: a listener failed {"event":"tool-call-end","error":"no network"}',
      ]);
  });

  test('tells the errors of every entry of the package apart by their code', async () => {
    // As published: there the part for browsers stands on its own.
    const { parseMcpConfig } = await import('../../packages/core/dist/pure.js');
    const { isJunctorError: isOne } = await import('../../packages/core/dist/index.js');
    expect(() => parseMcpConfig(5)).toThrow(expect.toSatisfy(error => isOne(error, 'config_invalid')));
    expect(() => parseMcpConfig(5)).toThrow(expect.toSatisfy(error => isJunctorError(error, 'config_invalid')));
  });
});

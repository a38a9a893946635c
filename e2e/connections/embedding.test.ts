/** A program that embeds a host: its own mistakes and failures cost it no more than they must, and are told. */
import { inspect } from 'node:util';
import { openaiTools } from '@junctor/adapters/openai';
import { createHost, type HostOptions, isJunctorError } from '@junctor/core';
import { testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

function messageOf(error: unknown): string {
  return isJunctorError(error) ? `${error.code}: ${error.message}` : String(error);
}

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

  test('is told what is wrong with the config it brings', async () => {
    for (const config of ['servers', null, []]) {
      await expect(createHost({ config: config as never })).rejects.toMatchObject({
        code: 'config_invalid',
        message: 'The config that createHost was given cannot be read.',
      });
    }
    const web = { transport: 'http', adress: 'https://example.com/mcp' } as never;
    await using host = await createHost({ config: { version: 1, servers: { demo, web } } });
    const why =
      `(overrides) servers.web.url: Missing 'url' in http server 'web'. Add the endpoint, or set transport to "stdio".\n` +
      `(overrides) servers.web.adress: Unknown key 'adress'. Remove it, or check its spelling.`;
    expect(host.failures()).toEqual([
      { server: 'web', error: expect.objectContaining({ code: 'config_invalid', why }) },
    ]);
    await expect(host.call({ server: 'web', tool: 'search' })).rejects.toMatchObject({ code: 'config_invalid', why });
    await expect(host.call({ server: 'mail', tool: 'send' })).rejects.toMatchObject({ code: 'server_unknown' });
    expect((await host.call('mcp__demo__echo', { text: 'hello' })).output).toBe('hello');
  });

  test('may pass on options that it was not given itself', async () => {
    // What a strict compiler allows is part of it: `exactOptionalPropertyTypes` is on here.
    const unset: HostOptions = {
      ask: undefined,
      elicit: undefined,
      naming: undefined,
      log: undefined,
      signal: undefined,
    };
    await using host = await createHost({ ...unset, connect: undefined, config: { version: 1, servers: { demo } } });
    const { tools } = await openaiTools(host, { model: undefined, servers: undefined, contextWindow: undefined });
    expect(tools.some(({ function: { name } }) => name === 'mcp__demo__echo')).toBe(true);
  });

  test('that calls wrongly is told so, and no server sees it', async () => {
    await using host = await createHost({ config: { version: 1, servers: { demo } } });
    const failure = (target: unknown, args?: unknown) => host.call(target as string, args).then(() => '', messageOf);
    expect(await Promise.all([failure(undefined), failure({ server: 'demo' }), failure(7)])).toEqual(
      Array(3).fill('usage: A call names its tool by a public name, or as { server, tool }.'),
    );
    expect(await failure('mcp__demo__echo', '{"text":"hello"}')).toBe(
      "usage: The arguments for 'mcp__demo__echo' are a string, and a tool takes an object.",
    );
    expect(await failure('mcp__demo__echo', ['hello'])).toBe(
      "usage: The arguments for 'mcp__demo__echo' are a list, and a tool takes an object.",
    );
    await using odd = await createHost({ config: { version: 1, servers: { demo } }, naming: 'dots' as 'at' });
    expect(await odd.tools().catch(messageOf)).toBe("usage: There is no way of naming tools called 'dots'.");
    expect(host.status()).toMatchObject([{ state: 'idle' }]);
  });

  test('that goes on after closing is told that the host is closed, and start() connects what is no longer there', async () => {
    const host = await createHost({ config: { version: 1, servers: { demo } } });
    await host.tools();
    await host.links.close('demo');
    await host.start();
    expect(host.status()).toMatchObject([{ state: 'ready' }]);
    await host.close();
    await host.close();
    const over = { code: 'cancelled', message: 'The host was closed, and answers no more questions.' };
    const closed = { code: 'cancelled', message: "Server 'demo' was closed for good, and takes no more calls." };
    await expect(host.call('mcp__demo__echo', { text: 'hello' })).rejects.toMatchObject(closed);
    // What was known of it would be taken for what there is.
    for (const asked of [host.tools(), host.resources(), host.resourceTemplates(), host.prompts(), openaiTools(host)])
      await expect(asked).rejects.toMatchObject(over);
    expect(await host.start()).toMatchObject({ servers: [], failed: [{ server: 'demo', error: closed }] });
  });

  test('that prints its host, or an error, prints no secret and no empty key', async () => {
    const headers = { Authorization: 'Bearer s3cr3t-value' };
    const web = { transport: 'http', url: 'http://127.0.0.1:9/mcp', headers } as const;
    await using host = await createHost({ config: { version: 1, servers: { demo, web } }, attempts: 1 });
    await host.tools();
    expect(inspect([host, host.failures()], { depth: 20 }) + JSON.stringify(host)).not.toContain('s3cr3t-value');
    const error: unknown = await host.call('search').catch((reason: unknown) => reason);
    expect(Object.keys(error as object).sort()).toEqual([
      'code',
      'command',
      'hint',
      'name',
      'outcome',
      'unsent',
      'why',
    ]);
    expect(error).toMatchObject({
      outcome: 'not_sent',
      hint: 'host.tools() has all of them, host.failures() says why servers are missing',
    });
  });

  test('tells the errors of every entry of the package apart by their code', async () => {
    // As published: there the part for browsers stands on its own.
    const { parseMcpConfig } = await import('../../packages/core/dist/pure.js');
    const { isJunctorError: isOne } = await import('../../packages/core/dist/index.js');
    expect(() => parseMcpConfig(5)).toThrow(expect.toSatisfy(error => isOne(error, 'config_invalid')));
    expect(() => parseMcpConfig(5)).toThrow(expect.toSatisfy(error => isJunctorError(error, 'config_invalid')));
  });
});

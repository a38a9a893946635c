import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '@junctor/core';
import { filesystem, JUNCTOR, junctor, makeHome, promise, startedServer, testServer } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { command, hostOf, recorder } from './tape.ts';

async function linesOf(file: string): Promise<Record<string, unknown>[]> {
  return (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
}

describe('a real file server', () => {
  promise(
    ['7.14a', '7.14b', '7.14c', '8.15a', '8.15b'],
    'is recorded through a host, then gone, and the same calls give the same results',
    async () => {
      await using home = await makeHome();
      const folder = join(home.path, 'files');
      await mkdir(folder);
      await writeFile(join(folder, 'a.txt'), 'first');
      const { file, server } = await recorder(home, { fs: filesystem(folder) }, 'fs');
      const session = async (host: Host) => {
        const names = (await host.tools()).map(({ tool }) => tool);
        const call = (tool: string, args: object) => host.call({ server: 's', tool }, args);
        const read = { path: join(folder, 'a.txt') };
        return [
          names,
          await call('read_text_file', read),
          await call('write_file', { ...read, content: 'second' }),
          await call('read_text_file', read),
          await call('list_directory', { path: folder }),
          await call('read_text_file', { path: '/etc/passwd' }),
        ];
      };
      const live = await (async () => {
        await using host = await hostOf(home, server);
        return await session(host);
      })();
      expect(live[1]).toMatchObject({ success: true, output: 'first' });
      expect(live[3]).toMatchObject({ success: true, output: 'second' });
      expect(live[5]).toMatchObject({ success: false });
      await rm(folder, { recursive: true });
      await rm(join(home.path, 'servers.json'));
      await using host = await hostOf(home, command(home, 'replay', file));
      expect(await session(host)).toEqual(live);
      // It does not make anything up.
      const unheard = host.call({ server: 's', tool: 'read_text_file' }, { path: 'b.txt' });
      await expect(unheard).rejects.toMatchObject({
        code: 'server_error',
        message: expect.stringContaining('has no answer for tools/call {"name":"read_text_file"'),
      });
    },
  );
});

describe('a recording', () => {
  test.each(['legacy', 'modern'] as const)(
    'holds both sides with times, in the %s era, and plays them all',
    async era => {
      await using home = await makeHome();
      const { file, server } = await recorder(home, { demo: testServer('--era', era) }, 'demo');
      const session = async (source: object) => {
        const progress: unknown[] = [];
        const asked: unknown[] = [];
        await using host = await hostOf(home, source, {
          elicit: async ({ message }) => {
            asked.push(message);
            return { action: 'accept', content: { name: 'Ada', colour: 'blue' } };
          },
        });
        const logs: unknown[] = [];
        host.events.on('log-message', ({ data }) => logs.push(data));
        const call = (tool: string, args: object = {}) =>
          host.call({ server: 's', tool }, args, { onProgress: step => progress.push(step.message) });
        const results = [
          await call('slow', { ms: 20 }),
          await call('ask_person'),
          await call('fail', { message: 'no' }),
          await call('image'),
          await call('add_tool', { name: 'mine' }),
          (await host.tools()).map(({ tool }) => tool),
          await host.readResource('s', 'demo://greeting'),
          await host.getPrompt('s', 'greet', { name: 'Ada' }).catch(error => String(error)),
        ];
        return { results, progress, asked };
      };
      const live = await session(server);
      expect(live.progress).toHaveLength(10);
      expect(live.asked).toHaveLength(1);
      const lines = await linesOf(file);
      expect(lines[0]).toMatchObject({
        recording: 1,
        server: 'demo',
        session: expect.any(String),
        at: expect.any(String),
      });
      const spoken = lines.slice(1);
      expect(new Set(spoken.map(({ from }) => from))).toEqual(new Set(['client', 'server']));
      const times = spoken.map(({ at_ms }) => at_ms as number);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await session(command(home, 'replay', file))).toEqual(live);
    },
  );

  test('gives repeated requests their answers in order, and the last one again', async () => {
    await using home = await makeHome();
    const { file, server } = await recorder(home, { demo: testServer() }, 'demo');
    const count = async (host: Host) => (await host.call({ server: 's', tool: 'state' })).output;
    const live = await (async () => {
      await using host = await hostOf(home, server);
      const counts = [await count(host)];
      const again = async () => {
        counts.push(await count(host));
        return JSON.parse(counts.at(-1) as string);
      };
      const giveUp = new AbortController();
      const slow = host.call({ server: 's', tool: 'slow' }, { ms: 60_000 }, { signal: giveUp.signal }).catch(() => {});
      await expect.poll(again).toMatchObject({ running: 1 });
      giveUp.abort();
      await slow;
      await expect.poll(again).toMatchObject({ running: 0, cancelled: 1 });
      return counts;
    })();
    await using host = await hostOf(home, command(home, 'replay', file));
    const played: string[] = [];
    for (let times = 0; times < live.length + 3; times++) played.push(await count(host));
    expect(played).toEqual([...live, ...Array(3).fill(live.at(-1))]);
  });

  test('of a server behind HTTP plays over HTTP', async () => {
    await using home = await makeHome();
    const { file, server } = await recorder(home, { web: startedServer('http') }, 'web');
    const session = async (source: object) => {
      await using host = await hostOf(home, source);
      const progress: unknown[] = [];
      const echo = await host.call({ server: 's', tool: 'echo' }, { text: 'hello' });
      const onProgress = ({ progress: step }: { progress: number }) => progress.push(step);
      const slow = await host.call({ server: 's', tool: 'slow' }, { ms: 20 }, { onProgress });
      return { names: (await host.tools()).length, echo, slow, progress };
    };
    const live = await session(server);
    expect(live.echo.output).toBe('hello');
    const words = [JUNCTOR, 'replay', file, '--http', '0', '--json'];
    const player = spawn(process.execPath, words, { env: home.env, stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    player.stdout.setEncoding('utf8').on('data', chunk => {
      printed += chunk;
    });
    await expect.poll(() => printed).toMatch(/^}\n/m);
    expect(await session({ transport: 'http', url: JSON.parse(printed).url, trust: 'trusted' })).toEqual(live);
    player.kill();
    await once(player, 'exit');
  });

  test('holds no secrets, and plays although they are masked', async () => {
    await using home = await makeHome();
    const demo = { ...testServer(), env: { DEMO_API_KEY: 'sk-very-secret-value' } };
    const { file, server } = await recorder(home, { demo }, 'demo');
    const texts = ['say sk-very-secret-value twice', 'Authorization: Bearer abcdef0123456789'];
    {
      await using host = await hostOf(home, server);
      for (const text of texts) await host.call({ server: 's', tool: 'echo' }, { text });
      await host.call({ server: 's', tool: 'echo' }, { text: 'x', password: 'hunter22' });
    }
    const tape = await readFile(file, 'utf8');
    for (const secret of ['sk-very-secret-value', 'abcdef0123456789', 'hunter22']) expect(tape).not.toContain(secret);
    await using host = await hostOf(home, command(home, 'replay', file));
    const played = await host.call({ server: 's', tool: 'echo' }, { text: texts[0] });
    expect(played.output).toBe('say ••• twice');
    expect((await host.call({ server: 's', tool: 'echo' }, { text: 'x', password: 'another' })).output).toBe('x');
  });

  test('does what the config forbids no more than any other way', async () => {
    await using home = await makeHome();
    const demo = { ...testServer(), tools: { deny: ['pid'] } };
    const permissions = { deny: ['mcp__demo__fail'] };
    const { file, server } = await recorder(home, { demo }, 'demo', { permissions });
    await using host = await hostOf(home, server);
    const fail = await host.call({ server: 's', tool: 'fail' });
    expect([fail.success, fail.output]).toEqual([
      false,
      'demo/fail was denied: the rule deny mcp__demo__fail. (permission_denied)',
    ]);
    await expect(host.call({ server: 's', tool: 'pid' })).rejects.toMatchObject({
      message: expect.stringContaining("Server 'demo' has no tool 'pid'."),
    });
    expect(await readFile(file, 'utf8')).not.toContain('"fail"}');
  });

  test('ends with its client, and says what it holds', async () => {
    await using home = await makeHome();
    const config = await home.write('servers.json', { version: 1, servers: { demo: testServer() } });
    const greeting = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'initialize', params: greeting })}\nnonsense\n`;
    const child = spawn(process.execPath, [JUNCTOR, 'record', 'demo', 'tape.jsonl', '--config', config], {
      ...{ cwd: home.project, env: home.env, stdio: ['pipe', 'pipe', 'pipe'] },
    });
    child.stdin.write(input);
    let said = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      said += chunk;
      if (said.includes('"id":"a"')) child.stdin.end();
    }
    const lines = said
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines.map(({ id, result, error }) => [id, result?.protocolVersion ?? error?.code])).toEqual(
      expect.arrayContaining([
        ['a', '2025-11-25'],
        [null, -32700],
      ]),
    );
    let told = '';
    for await (const chunk of child.stderr.setEncoding('utf8')) told += chunk;
    expect(told).toBe(`recorded 2 messages of server 'demo' in ${join(home.project, 'tape.jsonl')}\n`);
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(0);
  });

  test('of a server that ends tells so, and a file that is none is named', async () => {
    await using home = await makeHome();
    const config = await home.write('servers.json', {
      version: 1,
      servers: { gone: { transport: 'stdio', command: 'no-such' } },
    });
    const failed = await junctor(home, ['record', 'gone', 'tape.jsonl', '--config', config]);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('(command_not_found)')]);
    const missing = await junctor(home, ['replay', 'nothing.jsonl']);
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining('try: make a recording first: junctor record'),
    ]);
    await home.write('project/other.jsonl', '{"recording":1}\n{"a":1}\n{"b":1}\n');
    const other = await junctor(home, ['replay', 'other.jsonl']);
    expect(other.stderr).toContain('line 2: it names nobody who spoke, or no message');
  });
});

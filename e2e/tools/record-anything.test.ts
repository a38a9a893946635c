/** `junctor record` passes on what both sides say as it is, whatever a server says. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Home, JUNCTOR, junctor, makeHome, promise, startedServer } from '@junctor/testkit';
import { expect, test } from 'vitest';

/** Answers each method with the result of that name, letter for letter. */
const SERVER = `
const deep = '['.repeat(20000) + ']'.repeat(20000);
const RESULTS = {
  'tools/list': '{"tools":[null,{"name":7},{"name":"t","inputSchema":null}]}',
  'resources/list': '{"deep":' + deep + '}',
  'prompts/list': 'null',
};
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method } = JSON.parse(line);
  const told = JSON.stringify({ line });
  if (id !== undefined) process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":' + (RESULTS[method] ?? '{"n":12345678901234567890,"told":' + told + '}') + '}\\n');
});`;

test('lists of null, results nested 20,000 deep and long numbers end nothing, and lose no digit', async () => {
  await using home = await makeHome();
  const servers = { odd: { transport: 'stdio', command: process.execPath, args: ['-e', SERVER] } };
  const config = await home.write('servers.json', { version: 1, servers });
  const file = join(home.path, 'tape.jsonl');
  const ask = (id: string, method: string, params = '{}'): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
  const lines = [
    ask('1', 'tools/list'),
    ask('2', 'resources/list'),
    ask('3', 'prompts/list'),
    ask('4', 'tools/call', '{"name":1.0,"arguments":{}}'),
    ask('12345678901234567891', 'tools/call', '{"name":"t","arguments":{"n":12345678901234567890}}'),
  ];
  const input = `${lines.join('\n')}\n`;
  const answers = await recorded(home, { server: 'odd', file, config, input, count: 5 });
  expect(answers).toHaveLength(5);
  const answerTo = (id: number) => answers.map(line => JSON.parse(line)).find(answer => answer.id === id);
  const call = answers.find(line => line.includes('12345678901234567891'));
  expect(answers.find(line => line.includes('"id":4'))).toContain('"code":-32600');
  expect(answers.find(line => line.includes('"id":1,'))).toContain(
    '"result":{"tools":[null,{"name":7},{"name":"t","inputSchema":null}]}',
  );
  expect(answerTo(2)).toMatchObject({ id: 2, error: { data: { code: 'malformed_response' } } });
  expect(answerTo(3)).toMatchObject({ id: 3, result: null });
  expect(call).toContain('"id":12345678901234567891,"result":{"n":12345678901234567890');
  expect(call).toContain('\\"arguments\\":{\\"n\\":12345678901234567890}');
  const tape = await readFile(file, 'utf8');
  expect(tape).toContain('"arguments":{"n":12345678901234567890}');
  const played = await junctor(home, ['replay', file], { input: `${lines[4]}\n` });
  expect(played.stdout).toContain('"id":12345678901234567891,"result":{"n":12345678901234567890');
});

promise('7.14d', 'a client of an HTTP server need not wait for the answer to initialize', async () => {
  await using home = await makeHome();
  const config = await home.write('servers.json', { version: 1, servers: { web: startedServer() } });
  const file = join(home.path, 'tape.jsonl');
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'hasty', version: '1' } };
  const lines = [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'echo', arguments: { text: 'at once' } } },
  ];
  const input = lines.map(line => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join('');
  const answers = await recorded(home, { server: 'web', file, config, input, count: 2 });
  expect(answers.map(line => JSON.parse(line))).toMatchObject([
    { id: 1, result: { protocolVersion: '2025-11-25' } },
    { id: 2, result: { content: [{ type: 'text', text: 'at once' }] } },
  ]);
});

interface Recording {
  readonly server: string;
  readonly file: string;
  readonly config: string;
  readonly input: string;
  /** How many lines the server answers with. */
  readonly count: number;
}

/** What a client gets that sends everything at once, and stays until the last answer is there. */
async function recorded(home: Home, { server, file, config, input, count }: Recording): Promise<string[]> {
  const script = `const child = require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
let all = '';
child.stdout.on('data', chunk => { all += chunk; if (all.split('\\n').length > ${count}) child.stdin.end(); });
child.on('close', code => { process.stdout.write(all); process.exitCode = code; });
child.stdin.write(process.env.INPUT);`;
  const words = [JUNCTOR, 'record', server, file, '--config', config];
  const options = { env: { ...home.env, INPUT: input }, cwd: home.project };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, ...words], options);
  return stdout.trim().split('\n');
}

/** The official client of OpenAI, fetched from the npm registry: what the adapter gives compiles against its types. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome, ROOT } from '@junctor/testkit';
import { expect, test } from 'vitest';

const CLIENT = 'openai@7.55.0';
const FETCHED_MS = 180_000;
const PROGRAM = `
  import { createHost } from '@junctor/core';
  import { openaiResponsesTools, openaiTools } from '@junctor/adapters/openai';
  import OpenAI from 'openai';
  const client = new OpenAI();
  await using host = await createHost({ config: { version: 1, servers: {} } });
  const responses = await openaiResponsesTools(host);
  await client.responses.create({ model: 'm', input: 'x', ...responses.request });
  const chat = await openaiTools(host);
  await client.chat.completions.create({ model: 'm', messages: [], ...chat.request });
`;

// No clause: where the registry cannot be reached this proves nothing.
test(
  'requests of the OpenAI adapter compile against the official client',
  async context => {
    await using home = await makeHome();
    const folder = join(home.path, 'program');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    writeFileSync(join(folder, 'program.ts'), PROGRAM);
    const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, CLIENT], {
      cwd: folder,
      encoding: 'utf8',
      timeout: FETCHED_MS,
    });
    if (npm.status !== 0) context.skip(`${CLIENT} cannot be had: ${npm.stderr?.trim().split('\n')[0]}`);
    for (const name of ['@junctor', '@types'])
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2024', '--module', 'nodenext'];
    const words = [...options, '--lib', 'esnext,dom', '--types', 'node', 'program.ts'];
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    expect(spawnSync(process.execPath, [tsc, ...words], { cwd: folder, encoding: 'utf8' }).stdout).toBe('');
  },
  FETCHED_MS,
);

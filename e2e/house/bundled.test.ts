/** A program that is bundled together with the library, as a service that ships one file is: it works where no package lies. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, testServer, trusted } from '@junctor/testkit';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const PROGRAM = `
  import { createHost, isJunctorError, parseMcpConfig } from '@junctor/core';
  const config = { version: 1, servers: JSON.parse(process.argv[2]) };
  await using host = await createHost({ config });
  const { output } = await host.call('mcp__demo__echo', { text: 'hello' });
  const servers = Object.keys(parseMcpConfig(config).servers);
  let code;
  try {
    parseMcpConfig({ version: 1, servers: { bad: {} } });
  } catch (error) {
    code = isJunctorError(error, 'config_invalid');
  }
  console.log(JSON.stringify([output, servers, code]));
`;

/** In the root of the workspace, where the package is found as it is published: by the conditions that bundlers ask for. */
const virtual = {
  name: 'program',
  resolveId: (id: string) => (id === 'program' ? join(ROOT, 'program.js') : undefined),
  load: (id: string) => (id === join(ROOT, 'program.js') ? PROGRAM : undefined),
};

test('the library works inside the bundle of a program, native parts left out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundled-'));
  try {
    const build = await rolldown({ input: 'program', platform: 'node', plugins: [virtual], logLevel: 'silent' });
    await build.write({
      dir: folder,
      format: 'esm',
      entryFileNames: 'program.mjs',
      chunkFileNames: '[name]-[hash].mjs',
    });
    await build.close();
    const servers = JSON.stringify({ demo: trusted(testServer()) });
    const said = execFileSync(process.execPath, [join(folder, 'program.mjs'), servers], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(JSON.parse(said)).toEqual(['hello', ['demo'], true]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

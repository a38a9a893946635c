/** The published types in projects of others: a browser without Node's types, and the official client of OpenAI. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome, promise, ROOT } from '@junctor/testkit';
import { expect } from 'vitest';

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

async function problemsOf(program: string, options: object): Promise<string> {
  await using home = await makeHome();
  const folder = join(home.path, 'types');
  mkdirSync(folder);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'program.ts'), program);
  const compilerOptions = { noEmit: true, strict: true, target: 'es2024', module: 'nodenext', ...options };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  return spawnSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8' }).stdout;
}

promise('12.7g', '@junctor/core/pure compiles in a browser project without the types of Node', async () => {
  const program = `
    import { parseMcpConfig } from '@junctor/core/pure';
    document.title = Object.keys(parseMcpConfig({ version: 1, servers: {} }).servers).join();`;
  expect(await problemsOf(program, { lib: ['esnext', 'dom'], types: [], skipLibCheck: false })).toBe('');
});

promise(
  '12.7h',
  'what createHost takes can be named and made; requests for OpenAI fit lists that a client may change',
  async () => {
    const program = `
    import { createHost, Redactor, type Log, type Surroundings, type TokensProvider } from '@junctor/core';
    import { openaiResponsesTools, type ResponsesNamespace } from '@junctor/adapters/openai';
    declare const surroundings: Surroundings, log: Log, provider: TokensProvider;
    const options = { surroundings, log, redactor: new Redactor(), authProvidersById: { mine: provider } };
    await using host = await createHost({ config: { version: 1, servers: {} }, ...options });
    const { request } = await openaiResponsesTools(host);
    const namespaces = request.tools?.filter((tool): tool is ResponsesNamespace => tool.type === 'namespace') ?? [];
    const functions: { name: string; type: 'function' }[][] = namespaces.map(({ tools }) => tools);
    void functions;`;
    expect(await problemsOf(program, { lib: ['esnext'], types: ['node'], skipLibCheck: true })).toBe('');
  },
);

import { spawnSync } from 'node:child_process';
import { promise, ROOT } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

/** Imports a built entry in a process of its own: what it offers, and every file that was loaded for it. */
function imported(entry: string): { offered: string[]; loaded: string[] } {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    const offered = Object.keys(await import(${JSON.stringify(entry)}));
    console.log(JSON.stringify({ offered, loaded }));
  `;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

const ENTRIES = {
  'ai-sdk': ['aiTools'],
  openai: ['openaiResponsesTools', 'openaiTools'],
  anthropic: ['anthropicTools'],
  gemini: ['geminiTools'],
};

describe('@junctor/adapters', () => {
  promise('8.26c', 'has four entries, and each can be imported as it is published', () => {
    for (const [entry, names] of Object.entries(ENTRIES))
      expect([entry, imported(`@junctor/adapters/${entry}`).offered]).toEqual([entry, names]);
  });

  test('loads the AI SDK only for the AI SDK', () => {
    const loads = (entry: string) =>
      imported(`@junctor/adapters/${entry}`).loaded.some(url => url.includes('/node_modules/ai/'));
    expect(Object.keys(ENTRIES).map(entry => [entry, loads(entry)])).toEqual([
      ['ai-sdk', true],
      ['openai', false],
      ['anthropic', false],
      ['gemini', false],
    ]);
  });

  test('loads nothing heavy: no servers are spoken to before a host is', () => {
    const { loaded } = imported('@junctor/adapters/openai');
    expect(loaded.filter(url => /@modelcontextprotocol|node_modules\/(zod|yaml|ws)\//.test(url))).toEqual([]);
  });
});

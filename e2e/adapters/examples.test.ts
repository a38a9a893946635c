import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeHome, ROOT } from '@junctor/testkit';
import { startModel } from '@junctor/testkit/model';
import { describe, expect, test } from 'vitest';

const FOLDER = join(ROOT, 'examples', 'adapters');
const EXAMPLES = ['ai-sdk.ts', 'anthropic.ts', 'gemini.ts', 'openai-chat.ts', 'openai-responses.ts'];

describe('the examples of adapters', () => {
  test('are one for each API', () => {
    expect(readdirSync(FOLDER).sort()).toEqual([...EXAMPLES, 'servers.ts']);
  });

  test.each(EXAMPLES)('%s runs as its comment says, and its agent uses a tool', async file => {
    await using home = await makeHome();
    await using model = await startModel([
      { calls: [{ name: 'mcp__demo__echo', args: { text: 'hello' } }] },
      { text: 'The server said hello.' },
    ]);
    const child = spawn(process.execPath, [join(FOLDER, file), 'Echo hello.'], {
      cwd: ROOT,
      env: {
        ...home.env,
        PATH: [dirname(process.execPath), join(ROOT, 'node_modules', '.bin'), home.env.PATH].join(':'),
        OPENAI_BASE_URL: model.url,
        ANTHROPIC_BASE_URL: model.url,
        GEMINI_BASE_URL: model.geminiUrl,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const seen = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', text => {
      seen.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', text => {
      seen.stderr += text;
    });
    const [code] = await once(child, 'close');
    expect({ code, ...seen, complaints: model.complaints }).toEqual({
      code: 0,
      stdout: '→ mcp__demo__echo {"text":"hello"}\nThe server said hello.\n',
      stderr: '',
      complaints: [],
    });
    expect(JSON.stringify(model.requests[1]?.body)).toContain('hello');
  });
});

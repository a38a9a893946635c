/** Random servers, and random damage to real config files. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ROOT } from './harness/root.ts';

const word = fc.string({
  unit: fc.constantFrom('a', 'Z', '0', '-', '_', '.', ' ', '"', "'", '\\', '$', '{', '}', '#', ':', 'é', '🌍'),
  maxLength: 12,
});
const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,10}$/);
const texts = fc.dictionary(name, word, { maxKeys: 3 });
const milliseconds = fc.integer({ min: 1, max: 1_000_000 });
const filled = word.filter(text => text !== '');

const common = {
  enabled: fc.boolean(),
  trust: fc.constantFrom('trusted', 'untrusted'),
  mode: fc.constantFrom('shared', 'per_session', 'auto'),
  request_timeout_ms: milliseconds,
  tool_timeouts_ms: fc.dictionary(name, milliseconds, { maxKeys: 2 }),
  tools: fc.record(
    { allow: fc.array(filled, { maxLength: 3 }), deny: fc.array(filled, { maxLength: 3 }) },
    { requiredKeys: [] },
  ),
  meta: fc.record({ name: word, description: word }, { requiredKeys: [] }),
};

const stdio = fc.record(
  {
    transport: fc.constant('stdio'),
    command: filled,
    args: fc.array(word, { maxLength: 4 }),
    cwd: filled,
    env: texts,
    ...common,
  },
  { requiredKeys: ['transport', 'command'] },
);
const remote = fc.record(
  {
    transport: fc.constantFrom('http', 'sse', 'streamable_http'),
    url: fc.constantFrom('https://example.com/mcp', 'http://127.0.0.1:1/', 'http://${HOST:-localhost}/'),
    headers: texts,
    oauth: fc.oneof(fc.constant(false), fc.record({ client_id: word, scope: word }, { requiredKeys: [] })),
    ...common,
  },
  { requiredKeys: ['transport', 'url'] },
);

export const anyServerId = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/);
/** Servers that the canonical schema accepts. */
export const anyServer: fc.Arbitrary<Record<string, unknown>> = fc.oneof(stdio, remote) as never;

/** A real config file with some of its text cut, doubled, swapped or overwritten. */
export function damagedConfigs(): fc.Arbitrary<{ readonly file: string; readonly text: string }> {
  const samples = sampleFiles();
  const damage = fc.record({
    at: fc.nat(),
    length: fc.nat({ max: 40 }),
    with: fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom('', '{', '}', '[', ']', '"', ':', ',', '\n', '\u0000', '__proto__', '&a', '*a', '[[x]]'),
    ),
  });
  return fc.tuple(fc.constantFrom(...samples), fc.array(damage, { maxLength: 4 })).map(([{ file, text }, all]) => {
    let damaged = text;
    for (const { at, length, with: by } of all) {
      const place = damaged.length === 0 ? 0 : at % damaged.length;
      damaged = damaged.slice(0, place) + by + damaged.slice(place + length);
    }
    return { file, text: damaged };
  });
}

function sampleFiles(): { file: string; text: string }[] {
  const folders = [join(ROOT, 'examples'), join(ROOT, 'packages', 'core', 'src', 'config', 'dialects', 'samples')];
  return folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && /\.(jsonc?|ya?ml|toml)$/.test(entry.name))
      .map(entry => join(entry.parentPath, entry.name))
      .map(file => ({ file, text: readFileSync(file, 'utf8') })),
  );
}

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host, HostOptions } from '@junctor/core';
import { type Home, makeHome, promise } from '@junctor/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { movableClock } from '../connections/changing.ts';
import { answer, answeringHost, failure } from './answering.ts';

/** Its limit is a thousand characters. */
function smallHost(home: Home, results: object = {}, options: HostOptions = {}): Promise<Host> {
  return answeringHost({ max_output_tokens: 250, ...results }, { data: home.data, ...options });
}

async function keep(host: Host, content: object, session?: string): Promise<string> {
  return (await answer(host, content, session)).artifact?.id as string;
}

const textOf = (text: string): object => ({ content: [{ type: 'text', text }] });
const STORY = Array.from({ length: 400 }, (_, line) => `${line}: the quick brown fox jumps`).join('\n');
const ROWS = Array.from({ length: 300 }, (_, id) => ({
  id,
  name: `row ${id}`,
  tags: [`t${id % 3}`],
  'odd key': id * 2,
}));

describe('a stored result', () => {
  promise('7.10c', 'is read by range, in bounded pieces that lead on to the next', async () => {
    await using home = await makeHome();
    await using host = await smallHost(home);
    const id = await keep(host, textOf(STORY));
    expect(await host.readResult(id, { range: [100, 200] })).toEqual({
      id,
      server: 'any',
      tool: 'answer',
      text: STORY.slice(100, 200),
      range: [100, 200],
      chars: STORY.length,
      more: { range: [200, 200 + 20_000 > STORY.length ? STORY.length : 20_200] },
    });
    const tail = await host.readResult(id, { range: [STORY.length - 5, STORY.length + 100] });
    expect([tail.text, tail.more]).toEqual(['jumps', undefined]);
    // No answer is longer than a result may be, whatever is asked for.
    const piece = await host.readResult(id, { limit: 1_000_000 });
    expect(piece.text.length).toBeLessThanOrEqual(1000);
    expect(piece.text.endsWith('\n')).toBe(true);
    expect((await failure(host.readResult(id, { range: [5, 1] }))).message).toBe('[5, 1] is not a range.');
  });

  test('of any text is read whole in steps, and no step breaks a character', async () => {
    await using home = await makeHome();
    await using host = await smallHost(home);
    const unit = fc.oneof(
      fc.constantFrom('😀', 'é', '漢', '\n', '👨‍👩‍👧'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(unit, { minLength: 1, maxLength: 50 }),
        fc.integer({ min: 60, max: 400 }),
        async (some, limit) => {
          // The server of this test would take these for the end of a line.
          fc.pre(!/[\u2028\u2029]/.test(some.join('')));
          const text = some.join('').repeat(Math.ceil(1500 / some.join('').length));
          const id = await keep(host, textOf(text));
          let whole = '';
          for (
            let reading = await host.readResult(id, { limit });
            ;
            reading = await host.readResult(id, reading.more)
          ) {
            whole += reading.text;
            expect(reading.text.isWellFormed() && reading.text.length <= limit + 1).toBe(true);
            if (!reading.more) break;
          }
          expect(whole).toBe(text);
        },
      ),
      { numRuns: 15, seed: 20_260_728 },
    );
  });

  promise('7.10d', 'is read by JSON path, whether it came as structured content or as text', async () => {
    await using home = await makeHome();
    await using host = await smallHost(home);
    for (const raw of [textOf(JSON.stringify({ rows: ROWS })), { content: [], structuredContent: { rows: ROWS } }]) {
      const id = await keep(host, raw);
      const at = async (path: string) => JSON.parse((await host.readResult(id, { path })).text);
      expect(await at('$.rows[7]')).toEqual(ROWS[7]);
      expect(await at('rows[-1].name')).toBe('row 299');
      expect(await at("$.rows[2]['odd key']")).toBe(4);
      expect(await at('$["rows"][2:4].id')).toEqual([2, 3]);
      expect(await at('$.rows[0:2].tags[*]')).toEqual(['t0', 't1']);
      expect(await at('$.rows[5].*')).toEqual([5, 'row 5', ['t2'], 10]);
      const names = await host.readResult(id, { path: '$.rows[*].name', limit: 500 });
      expect([names.text.length <= 500, names.more?.path]).toEqual([true, '$.rows[*].name']);
      const rest = await host.readResult(id, names.more);
      expect(JSON.stringify(ROWS.map(({ name }) => name)).startsWith(names.text + rest.text)).toBe(true);
      const missing = await failure(host.readResult(id, { path: '$.rows[3].nam' }));
      expect([missing.message, missing.why, missing.hint]).toEqual([
        'There is nothing at $.rows[3].nam.',
        'at $.rows[3] there is an object with the keys id, name, tags, odd key',
        "did you mean 'name'?",
      ]);
      const misspelt = await failure(host.readResult(id, { path: '$.rows[?(@.id)]' }));
      expect([misspelt.code, misspelt.why]).toEqual(['usage', "it stops at '[?(@.id)]'"]);
    }
    const id = await keep(host, textOf(STORY));
    expect((await failure(host.readResult(id, { path: '$.a' }))).message).toContain('This result is no JSON');
  });

  promise('7.10e', 'is searched by text: how often the words stand there, where, and what is around them', async () => {
    await using home = await makeHome();
    await using host = await smallHost(home);
    const id = await keep(host, textOf(`${STORY}\nthe LAZY dog\n${STORY}`));
    const lazy = await host.readResult(id, { search: 'lazy' });
    expect([lazy.count, lazy.more]).toEqual([1, undefined]);
    expect(lazy.matches).toEqual([
      {
        at: STORY.length + 5,
        line: 401,
        text: '399: the quick brown fox jumps\nthe LAZY dog\n0: the quick brown fox jumps',
      },
    ]);
    expect(lazy.text).toBe(`line 401, character ${STORY.length + 5}:\n${lazy.matches?.[0]?.text}`);
    // More than fits: the next question is given with the answer.
    let seen = 0;
    let found = await host.readResult(id, { search: 'fox', limit: 1000 });
    expect(found.count).toBe(800);
    for (;;) {
      seen += found.matches?.length ?? 0;
      if (!found.more) break;
      found = await host.readResult(id, found.more);
    }
    expect(seen).toBe(800);
    expect((await host.readResult(id, { search: 'cat' })).count).toBe(0);
    expect((await host.readResult(id, { search: 'f.x' })).count).toBe(0);
    const json = await keep(host, { content: [], structuredContent: { rows: ROWS } });
    const inside = await host.readResult(json, { path: '$.rows[*].name', search: 'row 123' });
    expect([inside.count, inside.text.includes('"row 122","row 123","row 124"')]).toEqual([1, true]);
  });

  test('belongs to the session it was made for, and to nobody else', async () => {
    await using home = await makeHome();
    await using host = await smallHost(home);
    const id = await keep(host, textOf(STORY), 'session-a');
    expect((await host.readResult(id, {}, 'session-a')).chars).toBe(STORY.length);
    const unknown = (await failure(host.readResult('res_00000000000000000000', {}, 'session-b'))).message;
    const other = await failure(host.readResult(id, {}, 'session-b'));
    expect([other.code, other.message]).toEqual(['result_gone', unknown.replace('res_00000000000000000000', id)]);
    expect((await failure(host.readResult(id))).code).toBe('result_gone');
    expect((await failure(host.readResult('../../mcp-auth.json'))).code).toBe('result_gone');
    // The same session goes on in another process.
    await using later = await smallHost(home, {}, { session: 'session-a' });
    expect((await later.readResult(id)).chars).toBe(STORY.length);
    const folder = join(home.data, 'artifacts');
    const modes = await Promise.all([folder, join(folder, id)].map(async path => (await stat(path)).mode & 0o777));
    expect(modes).toEqual([0o700, 0o600]);
  });

  promise('7.10g', 'has to share: count and bytes stay below the quotas, the newest stay', async () => {
    await using home = await makeHome();
    await using host = await smallHost(home, { store_max_count: 3 });
    const ids: string[] = [];
    for (let number = 0; number < 6; number++) ids.push(await keep(host, textOf(`${number} ${STORY}`)));
    expect((await stored(home)).sort()).toEqual(ids.slice(-3).sort());
    const two = await makeHome();
    await using _two = two;
    await using full = await smallHost(two, { store_max_bytes: STORY.length * 3 });
    for (let number = 0; number < 6; number++) {
      await keep(full, textOf(`${number} ${STORY}`));
      expect(await bytesStored(two)).toBeLessThanOrEqual(STORY.length * 3);
    }
    expect(await stored(two)).toHaveLength(2);
    // Two processes share a directory, and its quota.
    await using neighbour = await smallHost(home, { store_max_count: 3 });
    await Promise.all([host, neighbour, host, neighbour].map((one, at) => keep(one, textOf(`${at} ${STORY}`))));
    await keep(neighbour, textOf(STORY));
    expect(await stored(home)).toHaveLength(3);
  });

  promise('7.10g', 'SEC-M5: of one session survives another that stores without end', async () => {
    await using home = await makeHome();
    await using host = await smallHost(home, { store_max_count: 5 });
    const own = await keep(host, textOf(STORY), 'victim');
    const many: string[] = [];
    for (let at = 0; at < 12; at++) many.push(await keep(host, textOf(`${at} ${STORY}`), 'greedy'));
    expect((await host.readResult(own, { range: [0, 5] }, 'victim')).text).toBe(STORY.slice(0, 5));
    const first = await failure(host.readResult(many[0] as string, {}, 'greedy'));
    expect(`${first.message} ${first.why}`).toContain('newer results needed its room');
  });

  promise('7.10h', 'that is old is cleaned up, and whoever asks for it is told so', async () => {
    await using home = await makeHome();
    const clock = movableClock();
    await using host = await smallHost(home, { store_max_age_ms: 60_000, store_max_count: 2 }, { clock });
    const old = await keep(host, textOf(STORY));
    clock.pass(61_000);
    const gone = await failure(host.readResult(old));
    expect([gone.code, gone.message, gone.hint]).toEqual([
      'result_gone',
      `The stored result '${old}' is gone.`,
      'call the tool again',
    ]);
    expect(gone.why).toMatch(/^it was removed at \d{4}-\S+Z: it was older than results\.store_max_age_ms$/);
    expect(await stored(home)).toEqual([]);
    const first = await keep(host, textOf(STORY));
    clock.pass(1);
    for (let number = 0; number < 2; number++) await keep(host, textOf(STORY));
    expect((await failure(host.readResult(first))).why).toContain('newer results needed its room');
  });
});

async function stored(home: Home): Promise<string[]> {
  return (await readdir(join(home.data, 'artifacts'))).filter(name => name.startsWith('res_'));
}

async function bytesStored(home: Home): Promise<number> {
  const sizes = (await stored(home)).map(async name => (await stat(join(home.data, 'artifacts', name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

import { createHost } from '@junctor/core';
import { junctor, makeHome, misbehaving, promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { answer, answeringHost, text } from './answering.ts';

describe('a result above the limit', () => {
  promise(
    ['3.5g', '3.5h', '7.10a', '7.10b', '9.11a'],
    'is cut at 25,000 tokens, keeps an id, and says how to read on',
    async () => {
      await using home = await makeHome();
      const config = { servers: { demo: trusted(testServer()), any: trusted(misbehaving('answers-anything')) } };
      await using host = await createHost({ config, data: home.data });
      const justFits = await host.call({ server: 'demo', tool: 'big' }, { bytes: 100_000 });
      expect([justFits.output.length, justFits.artifact]).toEqual([100_000, undefined]);
      const cut = await host.call({ server: 'demo', tool: 'big' }, { bytes: 100_001 });
      expect(cut.output.length).toBeLessThanOrEqual(100_000);
      expect(cut.output.length).toBeGreaterThan(99_000);
      const { id } = cut.artifact as { id: string };
      expect(cut.artifact).toEqual({ id, chars: 100_001, tokens: 25_001 });
      expect(cut.output).toMatch(
        new RegExp(
          `All of it is kept as ${id}\\. Read on with read_result: \\{"id":"${id}","range":\\[\\d+,\\d+\\]\\}`,
        ),
      );
      // All of it is there, in the steps it offers itself.
      let whole = '';
      let reading = await host.readResult(id);
      for (;;) {
        whole += reading.text;
        if (!reading.more) break;
        reading = await host.readResult(id, reading.more);
      }
      expect(whole).toBe('x'.repeat(100_001));
      const failed = await answer(host, { content: [text(`it failed: ${'y'.repeat(200_000)}`)], isError: true });
      expect([failed.success, failed.error === failed.output, failed.error?.startsWith('it failed: yyy')]).toEqual([
        false,
        true,
        true,
      ]);
      expect(failed.artifact?.id).toMatch(/^res_/);
    },
  );

  test('shows its beginning and its end, and shares its room fairly among parts', async () => {
    await using host = await answeringHost({ max_output_tokens: 500 });
    const log = Array.from({ length: 5000 }, (_, line) => `line ${line}`).join('\n');
    const { output, parts, artifact } = await answer(host, { content: [text(log), text('3 errors')] });
    expect(output).toMatch(/^line 0\nline 1\n/);
    expect(output).toMatch(/\nline 4999\n3 errors\n\[This result was cut: it has \d+ characters/);
    expect(output.length).toBeLessThanOrEqual(2000);
    expect(parts.map(({ type }) => type)).toEqual(['text', 'text', 'text']);
    const [, from, to] = /\[… \d+ characters left out, (\d+) to (\d+) …\]/.exec(output) as unknown as string[];
    const missing = { range: [Number(from), Number(to)] as const, limit: 1_000_000 };
    const { text: found } = await host.readResult(artifact?.id as string, missing);
    expect(log).toContain(found);
    expect(found.startsWith('line ')).toBe(true);
  });

  test('stays JSON where it was JSON, and structured content that is too large is read by its path', async () => {
    await using host = await answeringHost({ max_output_tokens: 300 });
    const rows = Array.from({ length: 1000 }, (_, id) => ({ id, name: `row ${id}` }));
    for (const raw of [
      { content: [text(JSON.stringify({ rows }, null, 1))] },
      { content: [], structuredContent: { rows } },
      { content: [text(JSON.stringify({ rows }))], structuredContent: { rows } },
      { content: [text('a thousand rows')], structuredContent: { rows } },
    ]) {
      const { data, parts, output, artifact } = await answer(host, raw);
      expect(data).toBe(undefined);
      expect(output.length).toBeLessThanOrEqual(1200);
      const json = parts.map(part => String(part.text)).find(words => words.startsWith('{')) as string;
      expect(JSON.parse(json).rows.slice(0, 2)).toEqual(rows.slice(0, 2));
      expect(output).toContain('"path":"$.key[0]"}');
      const { text: value } = await host.readResult(artifact?.id as string, { path: '$.rows[999]' });
      expect(JSON.parse(value)).toEqual(rows[999]);
    }
    const small = await answer(host, { content: [text('y'.repeat(5000))], structuredContent: { n: 1 } });
    expect(small.data).toEqual({ n: 1 });
  });

  test('has a limit for all tools and for single ones, and whoever wants all of it gets all of it', async () => {
    await using host = await answeringHost({
      max_output_tokens: 100,
      max_output_tokens_by_tool: { 'mcp__any__ans*': 1000, mcp__other__answer: 1 },
    });
    const long = { content: [text('z'.repeat(3000))] };
    expect((await answer(host, long)).output).toHaveLength(3000);
    const longer = { content: [text('z'.repeat(5000))] };
    expect((await answer(host, longer)).artifact).toBeDefined();
    const whole = await host.call({ server: 'any', tool: 'answer' }, { result: longer }, { whole: true });
    expect([whole.output.length, whole.artifact]).toEqual([5000, undefined]);
  });

  test('is cut even where it cannot be kept, and says so', async () => {
    await using host = await answeringHost({ max_output_tokens: 200, store_max_bytes: 1000 });
    const { output, artifact } = await answer(host, { content: [text('z'.repeat(5000))] });
    expect(artifact).toBe(undefined);
    expect(output).toContain('The rest is lost: it is larger than results.store_max_bytes (1000).]');
  });

  test('is printed whole by the command line', async () => {
    await using home = await makeHome();
    await home.write('project/junctor.json', { version: 1, servers: { demo: testServer() } });
    await junctor(home, ['trust', 'add', 'demo']);
    const args = ['mcp', 'call', 'demo', 'big', '--args', '{"bytes":300000}', '--yes'];
    const { stdout, code } = await junctor(home, args);
    expect([code, stdout.trimEnd().length]).toEqual([0, 300_000]);
  });
});

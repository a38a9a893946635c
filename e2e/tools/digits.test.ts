/** What people and models read of a result has the digits that its server wrote. */
import { createHost, modelText } from '@junctor/core';
import { makeHome, misbehaving, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

const NUMBERS = '"n":9223372036854775807,"e":1e400,"one":1.0';
const STRUCTURED = `{${NUMBERS},"note":"a\u200bb"}`;

describe('structured content', () => {
  test('keeps its digits in the text, and its numbers for programs', async () => {
    await using home = await makeHome();
    const servers = { says: trusted(misbehaving('says')) };
    await using host = await createHost({ config: { servers }, data: home.data });
    const say = (result: string) => host.call({ server: 'says', tool: 'say' }, { result });
    const alone = await say(`{"content":[],"structuredContent":${STRUCTURED}}`);
    expect(alone.output).toBe(STRUCTURED);
    expect(alone.data).toEqual({ n: 2 ** 63, e: Number.POSITIVE_INFINITY, one: 1, note: 'a\u200bb' });
    const beside = await say(`{"content":[{"type":"text","text":"see"}],"structuredContent":${STRUCTURED}}`);
    expect(modelText(beside)).toContain(NUMBERS);
    const from = { server: 'says', tool: 'say', trusted: false };
    for (const result of [alone, beside]) expect(modelText(result, { from })).toContain(`{${NUMBERS},"note":"ab"}`);
  });

  test('keeps them where it is cut, and where it is read on', async () => {
    await using home = await makeHome();
    const servers = { says: trusted(misbehaving('says')) };
    await using host = await createHost({
      config: { servers, results: { max_output_tokens: 100 } },
      data: home.data,
    });
    const filler = 'x '.repeat(1000);
    const cut = await host.call(
      { server: 'says', tool: 'say' },
      { result: `{"content":[],"structuredContent":{${NUMBERS},"filler":"${filler}"}}` },
    );
    expect(cut.output).toContain(NUMBERS);
    const { id = '' } = cut.artifact ?? {};
    expect((await host.readResult(id, { path: '$.n' })).text).toBe('9223372036854775807');
  });
});

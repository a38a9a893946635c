import type { Question } from '@junctor/core';
import { misbehaving, promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { PNG } from '../../packages/testkit/src/servers/offer/media.ts';
import { PLAIN_APIS } from './plain-apis.ts';
import { playing } from './scene.ts';

describe.each(PLAIN_APIS)('$name', ({ name, play, pictures }) => {
  promise('3.6b', `accepts the tools of real servers, and the answers to its calls (${name})`, async () => {
    await using scene = await playing([
      {
        calls: [
          { name: 'mcp__demo__echo', args: { text: 'hello' } },
          { name: 'mcp__demo__json_response', args: {} },
        ],
      },
      { calls: [{ name: 'mcp__demo__pid' }] },
      { text: 'All answered.' },
    ]);
    const { text, answers } = await play(scene.host, scene.model);
    expect([text, scene.model.complaints]).toEqual(['All answered.', []]);
    expect(answers).toHaveLength(3);
    expect(answers.map(answer => JSON.stringify(answer))).toEqual([
      expect.stringContaining('hello'),
      expect.stringMatching(/ok.*true/),
      expect.stringMatching(/\d+/),
    ]);
  });

  test('is answered whatever becomes of a call, so that the model can read what happened', async () => {
    await using scene = await playing(
      [
        {
          calls: [
            { name: 'mcp__demo__fail', args: { message: 'the disk is full' } },
            { name: 'mcp__frail__crash' },
            { name: 'mcp__demo__invented' },
            { name: 'mcp__strange__echo', args: { text: 'hello' } },
          ],
        },
        { text: 'I gave up.' },
      ],
      {
        servers: { demo: trusted(testServer()), frail: trusted(misbehaving('dies-in-call')), strange: testServer() },
        attempts: 1,
      },
    );
    const { text, answers } = await play(scene.host, scene.model);
    expect([text, scene.model.complaints]).toEqual(['I gave up.', []]);
    expect(answers.map(answer => JSON.stringify(answer))).toEqual([
      expect.stringContaining('the disk is full'),
      expect.stringContaining('panic: index out of range'),
      expect.stringContaining("There is no tool 'mcp__demo__invented'."),
      expect.stringContaining('needs approval, and nobody can be asked'),
    ]);
  });

  test('gets pictures where it takes them, and never base64 as text', async () => {
    await using scene = await playing([
      { calls: [{ name: 'mcp__demo__image' }, { name: 'mcp__demo__audio' }] },
      { text: 'I have seen it.' },
    ]);
    const { answers } = await play(scene.host, scene.model);
    expect(scene.model.complaints).toEqual([]);
    const [image, audio] = answers.map(answer => JSON.stringify(answer));
    expect(image?.includes(PNG)).toBe(pictures);
    if (!pictures) expect(image).toContain('[image image/png, ');
    expect(audio).toContain('[audio audio/wav, ');
  });

  test('asks the person whom the program names, and can be given up', async () => {
    const asked: Question[] = [];
    await using scene = await playing(
      [
        { calls: [{ name: 'mcp__demo__echo', args: { text: 'hello' } }] },
        { calls: [{ name: 'mcp__demo__slow', args: { ms: 1000 } }] },
      ],
      { servers: { demo: testServer() } },
    );
    const leaving = new AbortController();
    const played = play(
      scene.host,
      scene.model,
      {},
      {
        ask: async question => asked.push(question) > 0,
        signal: leaving.signal,
        onProgress: () => leaving.abort(),
      },
    );
    await expect(played).rejects.toMatchObject({ code: 'cancelled' });
    expect(asked.map(({ tool }) => tool)).toEqual(['echo', 'slow']);
    const state = await scene.host.call({ server: 'demo', tool: 'state' }, {}, { ask: async () => true });
    expect(state.data).toMatchObject({ cancelled: 1 });
  });
});

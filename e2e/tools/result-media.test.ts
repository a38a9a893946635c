import { createRequire } from 'node:module';
import { makeHome, promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { answer, answeringHost, failure } from './answering.ts';
import { pngOf } from './picture.ts';

describe('media', () => {
  promise('7.10f', 'that is a picture above the limit is resized, and the original kept', async ({ skip }) => {
    if (!canResize()) skip('the optional part that resizes pictures is not installed');
    await using home = await makeHome();
    await using host = await answeringHost({ max_image_px: 100 }, { data: home.data });
    const original = pngOf(400, 200);
    const image = { type: 'image', mimeType: 'image/png', data: original, annotations: { priority: 1 } };
    const { parts, output, artifact } = await answer(host, { content: [image] });
    const [part] = parts as unknown as [{ data: string; mimeType: string; resized: object; annotations: object }];
    expect(sizeOf(part.data)).toEqual([100, 50]);
    expect(part).toMatchObject({ type: 'image', mimeType: 'image/png', annotations: { priority: 1 } });
    const bytes = Buffer.from(original, 'base64').length;
    expect(part.resized).toEqual({
      width: 100,
      height: 50,
      original: { width: 400, height: 200, bytes, mimeType: 'image/png' },
    });
    expect(output).toMatch(/^\[image image\/png, \d+ bytes, 100 × 50, resized from 400 × 200\]$/);
    const kept = await host.readResult(artifact?.id as string, { media: 0 });
    expect(kept.media).toEqual({ mimeType: 'image/png', data: original });
    // As an embedded resource alike; a small one stays as it is.
    const blob = { type: 'resource', resource: { uri: 'a:b', mimeType: 'image/png', blob: original } };
    const small = { type: 'image', mimeType: 'image/png', data: pngOf(100, 100) };
    const mixed = await answer(host, { content: [blob, small] });
    const [first, second] = mixed.parts as unknown as [{ resource: { blob: string } }, object];
    expect([sizeOf(first.resource.blob), second]).toEqual([[100, 50], small]);
  });

  test('that claims to be a picture and cannot be read becomes a reference, and nothing else goes wrong', async () => {
    await using home = await makeHome();
    await using host = await answeringHost({ max_image_px: 100 }, { data: home.data });
    const whole = Buffer.from(pngOf(400, 200), 'base64');
    const torn = Buffer.concat([whole.subarray(0, 60), Buffer.alloc(500, 1)]).toString('base64');
    const bomb = Buffer.from(whole);
    bomb.writeUInt32BE(100_000, 16);
    bomb.writeUInt32BE(100_000, 20);
    const content = [torn, bomb.toString('base64')].map(data => ({ type: 'image', mimeType: 'image/png', data }));
    const { parts, artifact } = await answer(host, { content });
    expect(parts.map(({ type, of }) => [type, of])).toEqual([
      ['reference', 'image'],
      ['reference', 'image'],
    ]);
    expect((await host.readResult(artifact?.id as string, { media: 1 })).media?.data).toBe(bomb.toString('base64'));
  });

  test('above the limit becomes a reference, and is read by it', async () => {
    await using home = await makeHome();
    await using host = await answeringHost({ max_media_bytes: 5000 }, { data: home.data });
    const sound = Buffer.alloc(6000, 7).toString('base64');
    const small = pngOf(8, 8);
    const content = [
      { type: 'audio', mimeType: 'audio/wav', data: sound },
      { type: 'image', mimeType: 'image/png', data: small },
      { type: 'resource', resource: { uri: 'file:///b', mimeType: 'application/zip', blob: sound } },
    ];
    const { parts, output, artifact } = await answer(host, { content });
    const id = artifact?.id as string;
    expect(parts).toEqual([
      { type: 'reference', of: 'audio', mimeType: 'audio/wav', bytes: 6000, id, media: 0 },
      content[1],
      { type: 'reference', of: 'resource', mimeType: 'application/zip', bytes: 6000, uri: 'file:///b', id, media: 1 },
    ]);
    expect(output.split('\n')[0]).toBe(`[audio, audio/wav, 6000 bytes, kept as ${id}, media 0]`);
    expect((await host.readResult(id, { media: 1 })).media).toEqual({ mimeType: 'application/zip', data: sound });
    expect((await failure(host.readResult(id, { media: 2 }))).why).toBe('it keeps 2, counted from 0');
  });
});

/** The part that resizes is optional: where it is not installed, large pictures are references. */
function canResize(): boolean {
  try {
    createRequire(import.meta.resolve('@junctor/core')).resolve('@silvia-odwyer/photon-node');
    return true;
  } catch {
    return false;
  }
}

function sizeOf(png: string): [number, number] {
  const bytes = Buffer.from(png, 'base64');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

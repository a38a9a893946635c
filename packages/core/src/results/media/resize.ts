/**
 * Makes pictures smaller, in a thread of its own: decoding takes a second, and a picture is a stranger's file. The decoder
 * is WebAssembly, so that a malicious one harms nothing but that thread. It is an optional part: without it, a picture that
 * is too large becomes a reference.
 */
import { withDeadline } from '../../base/time/deadline.ts';
import type { ImageSize } from './image-size.ts';

export interface ResizedImage extends ImageSize {
  readonly mimeType: string;
  readonly data: string;
}

export type ResizeImage = (base64: string, to: ImageSize) => Promise<ResizedImage | undefined>;

/** Decoded, each takes four bytes: more than this is no picture anybody wants to show a model. */
export const MAX_DECODED_PIXELS = 50_000_000;

const PATIENCE_MS = 30_000;

/** Above this a picture without losses costs more than what it shows is worth. */
const MAX_PNG_BYTES = 1_500_000;

const MODULE = '@silvia-odwyer/photon-node';

/** What the thread runs. As a text, because a bundle has no file to name. */
const PROGRAM = `
const { parentPort, workerData: { module, data, width, height, jpeg, maxPngBytes } } = require('node:worker_threads');
const photon = require(module);
const small = photon.resize(photon.PhotonImage.new_from_byteslice(data), width, height, photon.SamplingFilter.CatmullRom);
const png = jpeg ? undefined : small.get_bytes();
const isPng = png !== undefined && png.length <= maxPngBytes;
parentPort.postMessage({ mimeType: isPng ? 'image/png' : 'image/jpeg', bytes: isPng ? png : small.get_bytes_jpeg(85) });
`;

/** Undefined where nothing can resize pictures here, or this one cannot be read. */
export const resizeImage: ResizeImage = async (base64, { width, height }) => {
  const module = await locate();
  if (module === undefined) return undefined;
  const data = Buffer.from(base64, 'base64');
  const { Worker } = await import('node:worker_threads');
  const jpeg = data[0] === 0xff;
  const workerData = { module, data, width, height, jpeg, maxPngBytes: MAX_PNG_BYTES };
  const worker = new Worker(PROGRAM, { eval: true, workerData, env: {}, execArgv: [], stdout: true, stderr: true });
  const answered = new Promise<{ mimeType: string; bytes: Uint8Array } | undefined>(resolve => {
    worker.once('message', resolve);
    worker.once('error', () => resolve(undefined));
    worker.once('exit', () => resolve(undefined));
  });
  try {
    const answer = await withDeadline(answered, { ms: PATIENCE_MS, error: () => new Error('too slow') });
    if (!answer) return undefined;
    return { mimeType: answer.mimeType, data: Buffer.from(answer.bytes).toString('base64'), width, height };
  } catch {
    return undefined;
  } finally {
    await worker.terminate();
  }
};

async function locate(): Promise<string | undefined> {
  const { createRequire } = await import('node:module');
  try {
    return createRequire(import.meta.url).resolve(MODULE);
  } catch {
    return undefined;
  }
}

/**
 * One stored result in one file: a line that says what is where, then its text, its structured content and its media. It is
 * written piece by piece, since a second copy of a large result is what memory has no room for, and appears under its name
 * only when it is complete.
 */
import { type FileHandle, mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { wholeBefore } from '../budget/boundary.ts';
import type { InlineMedia } from '../media/inline-media.ts';

export interface Artifact {
  readonly server: string;
  readonly tool: string;
  /** Who may read it: only the same reads it again. */
  readonly owner: string;
  readonly at: number;
  readonly text: string;
  /** Structured content as JSON, where the text is not just that. */
  readonly json: string | undefined;
  readonly media: readonly InlineMedia[];
}

/** What the first line says. */
export interface ArtifactHead extends Pick<Artifact, 'server' | 'tool' | 'owner' | 'at'> {
  readonly version: 1;
  readonly chars: number;
  readonly textBytes: number;
  readonly jsonBytes: number;
  readonly media: readonly { readonly mimeType: string; readonly bytes: number }[];
}

/** Large enough to be quick, small beside what the store holds. */
const CHUNK_CHARS = 1 << 18;
const MAX_BYTES_PER_UNIT = 3;

/** No longer than this, or it is no file of ours. */
const MAX_HEAD_BYTES = 1 << 20;

export async function writeArtifact(path: string, artifact: Artifact): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await writeSections(file, artifact);
    // Its age is told by the file itself, so that nobody has to open it to know.
    await file.utimes(artifact.at / 1000, artifact.at / 1000);
    await file.close();
    await rename(draft, path);
  } catch (error) {
    await file.close().catch(() => {});
    await unlink(draft).catch(() => {});
    throw error;
  }
}

async function writeSections(file: FileHandle, { text, json, media, ...about }: Artifact): Promise<void> {
  const blobs = media.map(({ mimeType, data }) => ({ mimeType, bytes: Buffer.from(data, 'base64') }));
  const head: ArtifactHead = {
    version: 1,
    ...about,
    chars: text.length,
    textBytes: Buffer.byteLength(text),
    jsonBytes: json === undefined ? 0 : Buffer.byteLength(json),
    media: blobs.map(({ mimeType, bytes }) => ({ mimeType, bytes: bytes.length })),
  };
  await writeText(file, `${JSON.stringify(head)}\n`);
  await writeText(file, text);
  if (json !== undefined) await writeText(file, json);
  for (const { bytes } of blobs) await file.writeFile(bytes);
}

/** Through one buffer: a new one for each chunk would be as much garbage as there is text. */
async function writeText(file: FileHandle, text: string): Promise<void> {
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(Math.min(text.length, CHUNK_CHARS) * MAX_BYTES_PER_UNIT);
  for (let from = 0; from < text.length; ) {
    const to = wholeBefore(text, Math.min(text.length, from + CHUNK_CHARS));
    const { written } = encoder.encodeInto(text.slice(from, to), buffer);
    await file.writeFile(buffer.subarray(0, written));
    from = to;
  }
}

/** A stored result that is being read. Whoever opens it closes it. */
export class OpenArtifact implements AsyncDisposable {
  readonly head: ArtifactHead;
  readonly #file: FileHandle;
  readonly #start: number;

  private constructor(file: FileHandle, head: ArtifactHead, start: number) {
    this.#file = file;
    this.head = head;
    this.#start = start;
  }

  static async open(path: string): Promise<OpenArtifact> {
    const file = await open(path, 'r');
    try {
      const line = await firstLine(file);
      return new OpenArtifact(file, JSON.parse(line.toString('utf8')) as ArtifactHead, line.length + 1);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Characters of its text. Where each is one byte, no more is read than asked for. */
  async text(from = 0, to: number = this.head.chars): Promise<string> {
    const { chars, textBytes } = this.head;
    if (chars === textBytes) return (await this.#bytes(this.#start + from, to - from)).toString('latin1');
    return (await this.#bytes(this.#start, textBytes)).toString('utf8').slice(from, to);
  }

  /** Its structured content as JSON. */
  async json(): Promise<string> {
    const { textBytes, jsonBytes } = this.head;
    return jsonBytes === 0 ? this.text() : (await this.#bytes(this.#start + textBytes, jsonBytes)).toString('utf8');
  }

  async media(index: number): Promise<Buffer> {
    const { textBytes, jsonBytes, media } = this.head;
    const before = media.slice(0, index).reduce((sum, { bytes }) => sum + bytes, 0);
    return this.#bytes(this.#start + textBytes + jsonBytes + before, media[index]?.bytes ?? 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  async #bytes(position: number, length: number): Promise<Buffer> {
    const buffer = Buffer.alloc(Math.max(0, length));
    const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, position);
    return bytesRead === buffer.length ? buffer : buffer.subarray(0, bytesRead);
  }
}

async function firstLine(file: FileHandle): Promise<Buffer> {
  for (let size = 4096; ; size *= 16) {
    const buffer = Buffer.alloc(size);
    const { bytesRead } = await file.read(buffer, 0, size, 0);
    const end = buffer.subarray(0, bytesRead).indexOf(0x0a);
    if (end >= 0) return buffer.subarray(0, end);
    if (bytesRead < size || size > MAX_HEAD_BYTES) throw new Error('not a stored result');
  }
}

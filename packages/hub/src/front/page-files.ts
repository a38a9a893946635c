/** The files of the page. They hold nothing secret and are open to everybody who reaches the hub; what they show is not. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { gzip } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** No script, style or picture but ours, and nobody may put the page into a frame. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

interface PageFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

export class PageFiles {
  readonly #folder: string | undefined;
  readonly #read = new Map<string, Promise<PageFile | undefined>>();

  /** Without a folder the hub has no page. */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  get exists(): boolean {
    return this.#folder !== undefined;
  }

  /** False for a path at which no file of the page lies. */
  async answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (this.#folder === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    const name = nameOf(path);
    if (name === undefined) return false;
    let reading = this.#read.get(name);
    if (!reading) {
      reading = readPage(join(this.#folder, name));
      // Names that do not exist are made up without end.
      if (await reading) this.#read.set(name, reading);
    }
    const file = await reading;
    if (!file) return false;
    response.writeHead(200, { ...file.headers, 'content-length': file.bytes.length });
    response.end(request.method === 'HEAD' ? undefined : file.bytes);
    return true;
  }
}

function nameOf(path: string): string | undefined {
  if (path === '/') return 'index.html';
  return /^\/(?:favicon\.svg|assets\/[\w-]+(?:\.[\w-]+)*\.(?:js|css|svg))$/.test(path) ? path.slice(1) : undefined;
}

async function readPage(file: string): Promise<PageFile | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  if (!bytes) return undefined;
  const type = extname(file);
  return {
    // Every browser of today takes it, and a page is a fifth as long with it.
    bytes: await zipped(bytes),
    headers: {
      ...HEADERS,
      'content-type': TYPES[type] ?? 'application/octet-stream',
      'content-encoding': 'gzip',
      // Names of assets change with what they hold; the page itself names them.
      'cache-control': type === '.html' ? 'no-cache' : 'public, max-age=31536000, immutable',
    },
  };
}

/** By hand: `node:util` for `promisify` alone would cost the hub 3 MB. */
function zipped(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(bytes, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

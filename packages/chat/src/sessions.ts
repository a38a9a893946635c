/** Conversations on disk: one file each in the data directory, its owner's alone. Known secrets are masked before they get there. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '@junctor/core/internal';
import { JunctorError, type Redactor } from '@junctor/core/light';
import type { ModelMessage } from 'ai';
import type { Usage } from './loop/events.ts';

export interface SavedSession {
  readonly version: 1;
  readonly id: string;
  /** Where it began: what is resumed without a name is of the same folder. */
  readonly cwd: string;
  readonly model: string;
  /** The first question. */
  readonly title: string;
  readonly started_at: string;
  readonly updated_at: string;
  readonly usage: Usage;
  readonly messages: readonly ModelMessage[];
}

export class Sessions {
  readonly #folder: string;
  readonly #redactor: Redactor;

  constructor(dataDirectory: string, redactor: Redactor) {
    this.#folder = join(dataDirectory, 'chat');
    this.#redactor = redactor;
  }

  begin({ cwd, model }: Pick<SavedSession, 'cwd' | 'model'>): SavedSession {
    const now = new Date().toISOString();
    const usage = { input: 0, output: 0 };
    return {
      version: 1,
      id: randomUUID(),
      cwd,
      model,
      title: '',
      started_at: now,
      updated_at: now,
      usage,
      messages: [],
    };
  }

  async save(session: SavedSession): Promise<void> {
    const mask = (text: string): string => this.#redactor.maskKnown(text);
    const masked: SavedSession = {
      ...session,
      title: mask(session.title),
      updated_at: new Date().toISOString(),
      messages: maskMessages(session.messages, mask),
    };
    await writePrivateFile(this.#file(session.id), `${JSON.stringify(masked, null, 1)}\n`);
  }

  async read(id: string): Promise<SavedSession> {
    if (!ID.test(id)) throw unknown(id);
    const text = await readFile(this.#file(id), 'utf8').catch(error => {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? unknown(id) : error;
    });
    return readable(text, this.#file(id));
  }

  /** The newest first. A file that cannot be read is left out. */
  async list(): Promise<readonly SavedSession[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const all = await Promise.all(
      names
        .filter(name => name.endsWith('.json') && ID.test(name.slice(0, -5)))
        .map(name => this.read(name.slice(0, -5)).catch(() => undefined)),
    );
    return all.filter(one => one !== undefined).sort((a, b) => b.updated_at.localeCompare(a.updated_at));
  }

  /** By its id or the beginning of it; without either, the last one of this folder. */
  async find(wanted: string, cwd: string): Promise<SavedSession> {
    const all = await this.list();
    const found = wanted
      ? all.filter(({ id }) => id.startsWith(wanted))
      : all.filter(one => one.cwd === cwd).slice(0, 1);
    if (found.length === 1) return found[0] as SavedSession;
    if (found.length === 0) throw unknown(wanted);
    throw new JunctorError('usage', `'${wanted}' begins the ids of ${found.length} conversations.`, {
      hint: 'give more of the id',
    });
  }

  #file(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

function readable(text: string, file: string): SavedSession {
  try {
    const session = JSON.parse(text) as SavedSession;
    if (session.messages.every(({ role, content }) => typeof role === 'string' && content !== undefined))
      return session;
  } catch {
    // Told below.
  }
  throw new JunctorError('not_found', `The conversation in ${file} cannot be read.`, {
    why: 'the file is damaged',
    hint: 'begin a new conversation, without --resume',
  });
}

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

function unknown(id: string): JunctorError {
  return new JunctorError(
    'not_found',
    id ? `There is no conversation '${id}'.` : 'There is no conversation to resume.',
    {
      hint: 'junctor chat --resume takes up the last one of this folder',
    },
  );
}

/**
 * Masks known secrets in the messages of a conversation. What the format itself says (roles, types, ids) stays: a secret can
 * be a common word, and a file without them could not be read again. Pure.
 */
type Mask = (text: string) => string;

/** Of a message and of its parts. Everything else was said by somebody. */
const FORMAT_KEYS = new Set(['role', 'type', 'toolCallId', 'toolName', 'approvalId', 'mediaType']);

function maskMessages(messages: readonly ModelMessage[], mask: Mask): readonly ModelMessage[] {
  return messages.map(message => maskPart(message, mask)) as unknown as readonly ModelMessage[];
}

/** Messages hold parts, and a part of a tool's answer holds another. */
function maskPart(part: object, mask: Mask): object {
  const entries = Object.entries(part).map(([key, value]) => {
    if (FORMAT_KEYS.has(key)) return [key, value];
    if (key === 'content' && Array.isArray(value)) return [key, value.map(one => maskPart(one, mask))];
    if (key === 'output' && typeof value === 'object' && value !== null) return [key, maskPart(value, mask)];
    return [key, maskData(value, mask)];
  });
  return Object.fromEntries(entries);
}

/** Any JSON. Its keys are words of a stranger too. */
function maskData(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number') {
    const masked = mask(String(value));
    return masked === String(value) ? value : masked;
  }
  if (Array.isArray(value)) return value.map(item => maskData(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [mask(key), maskData(one, mask)]));
}

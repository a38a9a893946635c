import { type Frame, findAnswerId, frameBytes, frameText, parseKeepingDigits } from '@junctor/core/internal';

/** What a line is about, as far as whoever carries it needs to know. */
export interface Envelope {
  /** Its id as JSON; absent from a notification. */
  readonly id?: string;
  /** Absent from an answer. */
  readonly method?: string;
  readonly params?: { readonly uri?: unknown; readonly requestId?: unknown };
}

/** Longer lines are results or arguments: only their beginning is looked at. */
const READ_BYTES = 64 * 1024;
const HEAD_BYTES = 512;

/** The messages of a batch, each as a line of its own; undefined for a line that is none. */
export function batchIn(frame: Frame): readonly Frame[] | undefined {
  if (frame[0]?.[0] !== OPENING_BRACKET) return undefined;
  try {
    return (parseKeepingDigits(frameText(frame)) as unknown[]).map(message => [Buffer.from(JSON.stringify(message))]);
  } catch {
    return undefined;
  }
}

const OPENING_BRACKET = 0x5b;

/** Answers, most of what comes, are not parsed. */
export function envelopeOf(frame: Frame): Envelope {
  const found = findAnswerId(frame);
  if (found) return { id: (frame[found.piece] as Buffer).toString('latin1', found.start, found.end) };
  return frameBytes(frame) > READ_BYTES ? fromHead(frame) : fromWhole(frame);
}

function fromWhole(frame: Frame): Envelope {
  try {
    const message = parseKeepingDigits(frameText(frame)) as {
      id?: unknown;
      method?: string;
      params?: object;
    } | null;
    const { id, method, params } = message ?? {};
    return {
      ...(id === undefined || id === null ? {} : { id: JSON.stringify(id) }),
      ...(typeof method === 'string' ? { method } : {}),
      ...(params ? { params } : {}),
    };
  } catch {
    return {};
  }
}

function fromHead(frame: Frame): Envelope {
  const head = (frame[0] as Buffer).toString('utf8', 0, HEAD_BYTES);
  const id = /^\s*\{(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*|"method"\s*:\s*"[^"]*"\s*,\s*)*"id"\s*:\s*("[^"\\]*"|-?\d+)/.exec(
    head,
  )?.[1];
  const method =
    /^\s*\{(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*|"id"\s*:\s*(?:"[^"\\]*"|-?\d+)\s*,\s*)*"method"\s*:\s*"([^"]*)"/.exec(
      head,
    )?.[1];
  return { ...(id === undefined ? {} : { id }), ...(method === undefined ? {} : { method }) };
}

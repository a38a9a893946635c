import { type Frame, findAnswerId, frameBytes, frameText } from '@junctor/core/inside';

/** What a line is about, as far as whoever carries it needs to know. */
export interface Envelope {
  /** Its id as JSON; absent from a notification. */
  readonly id?: string;
  /** Absent from an answer. */
  readonly method?: string;
  readonly params?: { readonly uri?: unknown };
}

/** Longer lines are results or arguments: only their beginning is looked at. */
const READ_BYTES = 64 * 1024;
const HEAD_BYTES = 512;

/** Answers, most of what comes, are not parsed. */
export function envelopeOf(frame: Frame): Envelope {
  const found = findAnswerId(frame);
  if (found) return { id: String(found.id) };
  return frameBytes(frame) > READ_BYTES ? fromHead(frame) : fromWhole(frame);
}

function fromWhole(frame: Frame): Envelope {
  try {
    const { id, method, params } = JSON.parse(frameText(frame)) as { id?: unknown; method?: string; params?: object };
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

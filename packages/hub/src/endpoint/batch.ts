/**
 * JSON-RPC batches: several messages in one array, which revision 2025-03-26 has and no other. Each message is handled like
 * one that came alone; their answers are collected, and leave together.
 */
import { RPC_CODE } from '@junctor/core/internal';
import { parseMessage, unfitMessage } from '../visit/message.ts';
import type { Reply } from '../visit/reply.ts';
import type { Session } from '../visit/session.ts';
import { answer, hear } from './legacy-talk.ts';

const BATCH_VERSION = '2025-03-26';
/** Each may run a server: one message of a client must not start any number of them. */
const MAX_MESSAGES = 100;

export interface BatchAnswer {
  /** The id of its request, as JSON. */
  readonly id: string;
  readonly pieces: readonly Buffer[];
}

/** Takes the answer of one request of a batch; undefined where it was cancelled. */
export type Collect = (pieces: readonly Buffer[] | undefined) => void;

export interface BatchWay {
  reply(id: string, onOver: () => void, collect: Collect): Reply;
  /** Every request is answered or cancelled: these are the answers, in the order of the requests. */
  finish(answers: readonly BatchAnswer[]): void;
}

/** The messages of a batch, each as it was written, so that no number is rounded. Undefined for what is no batch. */
export function messagesOfBatch(text: string): string[] | undefined {
  if (!/^\s*\[/.test(text)) return undefined;
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return elementsOf(text);
}

/** Why this session may not send this batch. `header` is the version that HTTP says, which that revision does not know yet. */
export function batchRefusal(session: Session, messages: readonly string[], header?: string): string | undefined {
  const version = session.protocolVersion ?? header ?? BATCH_VERSION;
  if (version !== BATCH_VERSION)
    return `Batches are part of revision ${BATCH_VERSION} only, and this session speaks ${version}`;
  if (messages.length === 0) return 'The batch is empty';
  return messages.length > MAX_MESSAGES ? `A batch may have ${MAX_MESSAGES} messages at most` : undefined;
}

/** Handles every message. False where none of them wants an answer: then `finish` is not called. */
export function answerBatch(session: Session, messages: readonly string[], { reply, finish }: BatchWay): boolean {
  const collected: { readonly id: string; pieces?: readonly Buffer[] | undefined }[] = [];
  let awaited = 1;
  const settle = (): void => {
    if (--awaited > 0 || collected.length === 0) return;
    finish(collected.flatMap(({ id, pieces }) => (pieces ? [{ id, pieces }] : [])));
  };
  const makeReply = (id: string, onOver: () => void = () => {}): Reply => {
    const place: (typeof collected)[number] = { id };
    collected.push(place);
    awaited++;
    return reply(id, onOver, pieces => {
      place.pieces = pieces;
      settle();
    });
  };
  for (const text of messages) handle(session, text, makeReply);
  settle();
  return collected.length > 0;
}

/** The answers as one JSON array. */
export function asArray(answers: readonly BatchAnswer[]): readonly Buffer[] {
  const pieces = answers.flatMap(({ pieces }, index) => [Buffer.from(index === 0 ? '[' : ','), ...pieces]);
  return [...pieces, Buffer.from(']')];
}

function handle(session: Session, text: string, makeReply: (id: string, onOver?: () => void) => Reply): void {
  const message = parseMessage(text);
  if (!message) return makeReply('null').error(RPC_CODE.invalidRequest, 'Not a JSON-RPC message');
  const { id, method } = message;
  if (method === undefined || id === undefined || id === null) return hear(session, message);
  const refuse = (why: string): void => makeReply(JSON.stringify(id)).error(RPC_CODE.invalidRequest, why);
  const unfit = unfitMessage(message, text);
  if (unfit) return refuse(unfit);
  if (method === 'initialize') return refuse('initialize must not be part of a batch');
  let own: Reply | undefined;
  const answering = answer(session, message, (key, onOver) => {
    own = makeReply(key, onOver);
    return own;
  });
  answering?.catch(() => own?.error(RPC_CODE.internal, 'The request failed inside Junctor'));
}

/** The texts between the brackets and commas of a JSON array. */
function elementsOf(text: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = stringEnd(text, at);
    else if (sign === '[' || sign === '{') {
      if (depth++ === 0) from = at + 1;
    } else if (sign === ']' || sign === '}') {
      if (--depth === 0) elements.push(text.slice(from, at));
    } else if (sign === ',' && depth === 1) {
      elements.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return elements.length === 1 && elements[0]?.trim() === '' ? [] : elements;
}

/** Where the string ends that begins at `from`. */
function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

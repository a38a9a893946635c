/** Answers of a server that are no result of a tool, as they go through an agent's door: prompts, resources, completions. */
import {
  type ContentPart,
  cleanContent,
  cleanText,
  type Frame,
  frameBytes,
  isObject,
  readRpcError,
  withoutResult,
  withoutUnseen,
} from '@junctor/core/internal';
import { AnswerError } from '../relay/job.ts';
import { cleanError, exactAnswer, exactResult } from './exact-answer.ts';
import { publicUri, withPublicUris } from './public-uri.ts';
import { LOOK_INTO_BYTES } from './sanitise.ts';

export interface AnsweredBy {
  readonly server: string;
  readonly trusted: boolean;
}

/** With public addresses, and nothing in its words that nobody sees; undefined where it passes as it is. */
export function otherAnswer(from: AnsweredBy, method: string, frame: Frame): object | AnswerError | undefined {
  const isResource = method === 'resources/read';
  const isCleaned = !from.trusted || frameBytes(frame) <= LOOK_INTO_BYTES;
  // The address of a resource has to be made public however large it is.
  if (!isResource && !(isCleaned && method === 'prompts/get')) return undefined;
  const answer = exactAnswer(frame);
  if (answer.error) return publicError(from.server, answer.error);
  const result = exactResult(answer);
  if (!result) throw withoutResult(from.server, method);
  return withPublicUris(
    from.server,
    isCleaned ? cleanAnswer(result, from.trusted ? withoutUnseen : cleanText) : result,
  );
}

/** The error of a server that has no such resource names it: clients know it by its public address. */
function publicError(server: string, given: unknown): AnswerError | undefined {
  const cleaned = cleanError(given);
  const { code, message, data } = cleaned ?? readRpcError(given);
  const { uri } = isObject(data) ? data : {};
  if (typeof uri !== 'string' || uri === '') return cleaned;
  const shown = publicUri(server, uri);
  return new AnswerError(
    code,
    message.replaceAll(uri, () => shown),
    { ...(data as object), uri: shown },
  );
}

type Clean = (text: string) => string;
type Fields = Readonly<Record<string, unknown>>;

function cleanAnswer(result: Fields, clean: Clean): object {
  const { description, contents, messages } = result;
  return {
    ...result,
    ...(typeof description === 'string' ? { description: clean(description) } : {}),
    ...(Array.isArray(contents) ? { contents: contents.map(one => cleanContents(one, clean)) } : {}),
    ...(Array.isArray(messages) ? { messages: messages.map(one => cleanMessage(one, clean)) } : {}),
  };
}

function cleanContents(contents: Fields, clean: Clean): Fields {
  return typeof contents?.text === 'string' ? { ...contents, text: clean(contents.text) } : contents;
}

function cleanMessage(message: Fields, clean: Clean): Fields {
  return isPart(message?.content) ? { ...message, content: cleanContent(message.content, clean) } : message;
}

function isPart(value: unknown): value is ContentPart {
  return typeof (value as { type?: unknown } | null)?.type === 'string';
}

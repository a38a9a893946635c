/** Answers of a server that are no result of a tool, as they go through an agent's door: prompts, resources, completions. */
import { type ContentPart, cleanContent, cleanText, type Frame, frameBytes, withoutUnseen } from '@junctor/core/inside';
import { exactResult } from './exact-result.ts';
import { withPublicUris } from './public-uri.ts';
import { LOOK_INTO_BYTES } from './sanitise.ts';

export interface AnsweredBy {
  readonly server: string;
  readonly trusted: boolean;
}

/** With public addresses, and nothing in its words that nobody sees; undefined where it passes as it is. */
export function otherAnswer(from: AnsweredBy, method: string, frame: Frame): object | undefined {
  const isResource = method === 'resources/read';
  const isSmall = frameBytes(frame) <= LOOK_INTO_BYTES;
  // The address of a resource has to be made public however large it is.
  if (!isResource && !(isSmall && method === 'prompts/get')) return undefined;
  const result = exactResult(frame);
  if (!result) return undefined;
  return withPublicUris(from.server, isSmall ? cleanAnswer(result, from.trusted ? withoutUnseen : cleanText) : result);
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

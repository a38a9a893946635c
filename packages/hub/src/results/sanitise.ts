/**
 * The result of a tool as a model may read it: nothing in it that a person would not see; and what an untrusted server said
 * stands between marks that say it is data. Structured content is cleaned, not marked: programs read it. Pure.
 */
import {
  type ContentPart,
  cleanContent,
  cleanStructured,
  cleanText,
  markedAsData,
  textOfPart,
  withoutUnseen,
  withText,
} from '@junctor/core/internal';

export interface Origin {
  readonly server: string;
  readonly tool: string;
  readonly trusted: boolean;
}

/** Answers of trusted servers up to this size are looked into. Larger ones pass as they are, where nothing is to be cut. */
export const LOOK_INTO_BYTES: number = 64 * 1024;

export type AnswerBody = Readonly<Record<string, unknown>>;

/** The same object where there was nothing to change. `isOwn`: what Junctor itself put in is nobody's data. */
export function sanitised(
  answer: AnswerBody,
  from: Origin,
  isOwn: (part: ContentPart) => boolean = () => false,
): AnswerBody {
  // Of a server you trust the line breaks are its own: a file that it read has to come back as it is.
  const clean = from.trusted ? withoutUnseen : cleanText;
  const { content, structuredContent } = answer;
  const parts = Array.isArray(content)
    ? content.map(part => (isPart(part) && !isOwn(part) ? sanitisedPart(part, from, clean) : part))
    : content;
  const data = cleanStructured(structuredContent, clean);
  const samePart = (part: unknown, index: number): boolean => part === (content as unknown[])[index];
  const sameContent = parts === content || (parts as unknown[]).every(samePart);
  if (sameContent && data === structuredContent) return answer;
  return {
    ...answer,
    ...(sameContent ? {} : { content: parts }),
    ...(data === undefined ? {} : { structuredContent: data }),
  };
}

function sanitisedPart(part: ContentPart, from: Origin, clean: (text: string) => string): ContentPart {
  const cleaned = cleanContent(part, clean);
  const text = from.trusted ? undefined : textOfPart(cleaned);
  return text === undefined || text === '' ? cleaned : withText(cleaned, markedAsData(text, from));
}

function isPart(value: unknown): value is ContentPart {
  return typeof (value as { type?: unknown } | null)?.type === 'string';
}

/** What a tool answered, cleaned for a model. Pictures, sounds and addresses stay as they are. */
import { cleanText } from './clean-text.ts';
import { cleanValues } from './clean-values.ts';

interface Part {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What is to become of each text. */
export type Clean = (text: string) => string;

/** The same part where there was nothing to clean. */
export function cleanContent<Content extends Part>(part: Content, clean: Clean = cleanText): Content {
  if (part.type === 'text' && typeof part.text === 'string') return withClean(part, 'text', clean(part.text));
  if (part.type === 'resource') return withClean(part, 'resource', cleanResource(part.resource, clean));
  if (part.type === 'resource_link') return cleanNames(part, clean);
  return part;
}

/** Structured content is data: the texts in it are a stranger's all the same. */
export function cleanStructured<Value>(value: Value, clean: Clean = cleanText): Value {
  return cleanValues(value, clean);
}

function cleanResource(resource: unknown, clean: Clean): unknown {
  const text = (resource as { text?: unknown } | null | undefined)?.text;
  if (typeof text !== 'string') return resource;
  const cleaned = clean(text);
  return cleaned === text ? resource : { ...(resource as object), text: cleaned };
}

function cleanNames<Content extends Part>(part: Content, clean: Clean): Content {
  return ['name', 'title', 'description'].reduce(
    (whole, field) => withClean(whole, field, cleanValues(part[field], clean)),
    part,
  );
}

function withClean<Content extends Part>(part: Content, field: string, clean: unknown): Content {
  return clean === part[field] ? part : { ...part, [field]: clean };
}

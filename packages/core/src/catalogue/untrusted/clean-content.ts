/** What a tool answered, cleaned for a model. Pictures, sounds and addresses stay as they are. */
import { cleanText } from './clean-text.ts';
import { cleanValues } from './clean-values.ts';

interface Part {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The same part where there was nothing to clean. */
export function cleanContent<Content extends Part>(part: Content): Content {
  if (part.type === 'text' && typeof part.text === 'string') {
    const text = cleanText(part.text);
    return text === part.text ? part : { ...part, text };
  }
  if (part.type === 'resource') return withClean(part, 'resource', cleanResource(part.resource));
  if (part.type === 'resource_link') return cleanNames(part);
  return part;
}

/** Structured content is data: the texts in it are a stranger's all the same. */
export function cleanStructured<Value>(value: Value): Value {
  return cleanValues(value);
}

function cleanResource(resource: unknown): unknown {
  const text = (resource as { text?: unknown } | null | undefined)?.text;
  if (typeof text !== 'string') return resource;
  const clean = cleanText(text);
  return clean === text ? resource : { ...(resource as object), text: clean };
}

function cleanNames<Content extends Part>(part: Content): Content {
  return ['name', 'title', 'description'].reduce(
    (whole, field) => withClean(whole, field, cleanValues(part[field])),
    part,
  );
}

function withClean<Content extends Part>(part: Content, field: string, clean: unknown): Content {
  return clean === part[field] ? part : { ...part, [field]: clean };
}

/**
 * Masks known secrets in the messages of a conversation. What the format itself says (roles, types, ids) stays: a secret can
 * be a common word, and a file without them could not be read again. Pure.
 */
import type { ModelMessage } from 'ai';

type Mask = (text: string) => string;

/** Of a message and of its parts. Everything else was said by somebody. */
const FORMAT_KEYS = new Set(['role', 'type', 'toolCallId', 'toolName', 'approvalId', 'mediaType']);

export function maskMessages(messages: readonly ModelMessage[], mask: Mask): readonly ModelMessage[] {
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

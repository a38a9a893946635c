/** Which era a message belongs to: both may be spoken over one connection. */
import type { Era } from '../options.ts';
import type { Message } from '../rpc.ts';
import { LEGACY_VERSIONS } from './legacy/greeting.ts';
import { claimedVersion } from './modern/envelope.ts';

const ONLY_MODERN = new Set<string | undefined>(['server/discover', 'subscriptions/listen']);

/** `header` is the version that HTTP says, where the message comes over HTTP. */
export function eraOf(message: Message, header?: string): Era {
  if (claimedVersion(message.params) !== undefined) return 'modern';
  if (message.method === 'initialize') return 'legacy';
  if (header !== undefined) return LEGACY_VERSIONS.includes(header) ? 'legacy' : 'modern';
  return ONLY_MODERN.has(message.method) ? 'modern' : 'legacy';
}

/**
 * What a lockfile holds of a server's definition: what decides who answers. References stay references, literal secrets are
 * masked before anything is written or hashed: a fingerprint of a short password would tell the password. Pure.
 */
import { canonicalJson } from '../../base/json/canonical-json.ts';
import { Redactor } from '../../base/log/redact.ts';
import { sha256 } from '../../base/sha256.ts';
import { maskDefinition } from '../../config/masking/masking.ts';
import type { McpServerDef } from '../../config/schema/server-schema.ts';

/** How a server is used or shown does not change who answers. */
const NO_TERMS: ReadonlySet<string> = new Set([
  ...['enabled', 'meta', 'debug', 'trust', 'mode', 'tools', 'protocol', 'max_message_bytes'],
  ...['connect_timeout_ms', 'request_timeout_ms', 'tool_idle_timeout_ms', 'tool_timeout_ms', 'tool_timeouts_ms'],
]);

export interface ServerTerms {
  readonly fingerprint: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

export function serverTerms(id: string, written: McpServerDef): ServerTerms {
  const kept = Object.entries(maskDefinition(written)).filter(([key]) => !NO_TERMS.has(key));
  const definition = withoutCredentials(Object.fromEntries(kept)) as Record<string, unknown>;
  return { fingerprint: sha256(canonicalJson({ id, definition })), definition };
}

/** A password may also stand in the middle of an argument or a variable. */
function withoutCredentials(value: unknown, redactor: Redactor = new Redactor()): unknown {
  if (typeof value === 'string') return redactor.mask(value);
  if (Array.isArray(value)) return value.map(item => withoutCredentials(item, redactor));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutCredentials(item, redactor)]));
}

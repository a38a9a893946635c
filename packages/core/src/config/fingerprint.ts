/** The identity of a definition: equal for equal definitions, whatever the order of keys, different for any other. */
import { hash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import type { McpServerDef } from './schema.ts';

/** Whether a server runs or is shown, and how, does not change what it is. */
const NOT_IDENTITY = new Set(['enabled', 'meta', 'debug']);

export function fingerprint(id: string, definition: McpServerDef): string {
  const identity = Object.fromEntries(Object.entries(definition).filter(([key]) => !NOT_IDENTITY.has(key)));
  return hash('sha256', canonicalJson({ id, ...identity }), 'hex');
}

/** The identity of a definition: equal for equal definitions, whatever the order of keys, different for any other. */
import { canonicalJson } from '../../base/json/canonical-json.ts';
import { sha256 } from '../../base/sha256.ts';
import type { McpServerDef } from '../schema/server-schema.ts';

/** Whether a server runs or is shown, and how, does not change what it is. */
const NOT_IDENTITY = new Set(['enabled', 'meta', 'debug']);

export function fingerprint(id: string, definition: McpServerDef): string {
  const identity = Object.fromEntries(Object.entries(definition).filter(([key]) => !NOT_IDENTITY.has(key)));
  return sha256(canonicalJson({ id, ...identity }));
}

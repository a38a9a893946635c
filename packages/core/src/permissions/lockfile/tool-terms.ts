/**
 * What a person says yes to when they allow a tool: its name, its words and its schemas, as the server gave them. A tool
 * that has other terms is another tool, whatever it is called. Pure.
 */
import { canonicalJson } from '../../base/json/canonical-json.ts';
import { sha256 } from '../../base/sha256.ts';
import type { ToolDefinition } from '../../catalogue/entry.ts';

/** What a model or a person reads of a tool, and what decides how it is called. Pictures and hints for caches are neither. */
const TERMS = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

export type ToolTerms = Readonly<Partial<Record<(typeof TERMS)[number], unknown>>>;

export function termsOf(definition: ToolDefinition): ToolTerms {
  return Object.fromEntries(TERMS.flatMap(key => (definition[key] === undefined ? [] : [[key, definition[key]]])));
}

export function toolFingerprint(definition: ToolDefinition): string {
  return sha256(canonicalJson(termsOf(definition)));
}

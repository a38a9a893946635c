/** The description of a tool as a model reads it: cleaned, cut, and with a line that says whose tool it is. */
import { cleanAndCut } from './clean-text.ts';

/** Where a tool is from. */
export interface Origin {
  readonly server: string;
  readonly tool: string;
}

/** Longer descriptions are cut. Measured public servers stay below it with 97 of 100 tools. */
export const DEFAULT_DESCRIPTION_CHARS = 2000;

/** Longer names are cut in the line of origin; a server may call its tool anything. */
const LONGEST_NAME = 128;

/** The line of origin stands last, exactly once: whatever looks like one in the server's own words is taken out. */
export function describeTool(
  description: unknown,
  origin: Origin,
  maxChars: number = DEFAULT_DESCRIPTION_CHARS,
): string {
  const line = originLine(origin);
  if (typeof description !== 'string') return line;
  const imitates = description.includes('[') ? ORIGIN_LINES : undefined;
  const told = cleanAndCut(description, Math.max(0, maxChars - line.length - 1), imitates);
  return told === '' ? line : `${told}\n${line}`;
}

/** What the server says of its tool in such a description. */
export function ownWords({ description, server, tool }: Origin & { readonly description: string }): string {
  const line = originLine({ server, tool });
  return description.endsWith(line) ? description.slice(0, -line.length).trimEnd() : description;
}

/** Also one that does not end like ours: a model does not count brackets. */
const ORIGIN_LINES = /^[^\S\n]*\[server:[^\n]*(?:\n|$)/gm;

const ORDINARY = /^[!-~]+$/;

function originLine({ server, tool }: Origin): string {
  return `[server: ${inOneLine(server)}, tool: ${inOneLine(tool)}]`;
}

function inOneLine(name: string): string {
  if (name.length <= LONGEST_NAME && ORDINARY.test(name)) return name;
  return cleanAndCut(name, LONGEST_NAME).replace(/\s+/g, ' ');
}

/** What a model reads of tools that were found: short, one after the other, and all of one that it asks about. Pure. */
import { cutText } from '../untrusted/clean-text.ts';
import { ownWords } from '../untrusted/describe-tool.ts';
import type { SearchedTool } from './searched-tool.ts';

/** A server whose tools are not among those that were searched, and why. */
export interface AbsentServer {
  readonly server: string;
  readonly because: string;
}

export interface Finding {
  readonly query: string;
  readonly found: readonly SearchedTool[];
  /** All that were searched. */
  readonly searched: readonly SearchedTool[];
  readonly absent: readonly AbsentServer[];
}

export function findingText({ query, found, searched, absent }: Finding): string {
  const asked = JSON.stringify(cutText(query, LONGEST_QUERY));
  const total = searched.length;
  const head =
    found.length === 0
      ? `None of ${total} tools fits ${asked}. Try other words: what it should do, or what it works on.${serversOf(searched)}`
      : `${found.length} of ${total} tools, the best for ${asked} first. Run one with call_tool; describe_tool tells more.`;
  return [head, ...found.map(line), ...absentLines(absent)].join('\n\n');
}

/** The whole description, and the schema as it is checked. */
export function describingText(tool: SearchedTool): string {
  return [tool.name, tool.description, `Arguments, as JSON Schema:\n${JSON.stringify(tool.inputSchema)}`].join('\n\n');
}

const MOST_SERVERS = 30;

/** What there is at all, for a model that guessed. */
function serversOf(tools: readonly SearchedTool[]): string {
  const servers = [...new Set(tools.map(({ server }) => server))].sort();
  const more = servers.length > MOST_SERVERS ? `, and ${servers.length - MOST_SERVERS} more` : '';
  return servers.length === 0 ? '' : ` Servers: ${servers.slice(0, MOST_SERVERS).join(', ')}${more}.`;
}

const LONGEST_QUERY = 200;
const LONGEST_LINE = 240;
/** More parameters than these are counted only. */
const MOST_OPTIONAL = 6;

function line(tool: SearchedTool): string {
  const words = ownWords(tool).replace(/\s+/g, ' ').trim();
  const about = cutText(words || (tool.title ?? ''), LONGEST_LINE);
  return `${tool.name}(${parametersOf(tool.inputSchema)})${about === '' ? '' : `\n  ${about}`}`;
}

/** Required ones with their types, then what may be added. */
function parametersOf({ properties, required }: SearchedTool['inputSchema']): string {
  const all = Object.entries((properties ?? {}) as Record<string, unknown>);
  const needed = new Set(Array.isArray(required) ? required : []);
  const must = all.filter(([name]) => needed.has(name));
  const may = all.filter(([name]) => !needed.has(name));
  const more = may.length > MOST_OPTIONAL ? [`… ${may.length - MOST_OPTIONAL} more`] : [];
  return [
    ...must.map(([name, schema]) => `${shown(name)}: ${typeOf(schema)}`),
    ...may.slice(0, MOST_OPTIONAL).map(([name, schema]) => `${shown(name)}?: ${typeOf(schema)}`),
    ...more,
  ].join(', ');
}

function shown(name: string): string {
  return /^[\w.$-]{1,64}$/.test(name) ? name : JSON.stringify(cutText(name, 64));
}

const MOST_CHOICES = 6;

function typeOf(schema: unknown): string {
  const { type, enum: choices } = (schema ?? {}) as { type?: unknown; enum?: unknown };
  if (Array.isArray(choices) && choices.length <= MOST_CHOICES) {
    const told = choices.map(choice => JSON.stringify(choice)).join(' | ');
    if (told.length <= LONGEST_LINE / 2) return told;
  }
  const words = [type].flat().filter(word => typeof word === 'string');
  return words.length > 0 ? words.join(' | ') : 'any';
}

function absentLines(absent: readonly AbsentServer[]): string[] {
  if (absent.length === 0) return [];
  const lines = absent.map(({ server, because }) => `- ${server}: ${because}`);
  return [['Tools of these servers could not be searched:', ...lines].join('\n')];
}

/** Resources and prompts as a model reads them: one line each in a list, whole where one was asked for. Pure. */

import { cleanAndCut } from '../untrusted/clean-text.ts';
import type { PromptDefinition, ResourceDefinition, ResourceTemplateDefinition } from './list-kind.ts';
import type { PromptMessages, ResourceContents } from './other-lists-answers.ts';

export function resourceLine(server: string, { uri, name, mimeType, description }: ResourceDefinition): string {
  return itemLine(server, uri, [name === uri ? undefined : name, mimeType], description);
}

export function templateLine(
  server: string,
  { uriTemplate, name, mimeType, description }: ResourceTemplateDefinition,
): string {
  return itemLine(server, uriTemplate, [name, mimeType], description);
}

export function promptLine(server: string, { name, arguments: args, description }: PromptDefinition): string {
  const takes = (Array.isArray(args) ? args : []).map(one => `${one?.name}${one?.required === true ? '' : '?'}`);
  return itemLine(server, name, takes.length > 0 ? [`arguments: ${takes.join(', ')}`] : [], description);
}

/** Each content as a block of a result. */
export function resourceParts({ contents }: ResourceContents): object[] {
  return contents.map(resource => ({ type: 'resource', resource }));
}

/** Who speaks stands before what is said. */
export function promptParts({ description, messages }: PromptMessages): object[] {
  const about = typeof description === 'string' ? [{ type: 'text', text: description }] : [];
  const said = messages.flatMap(({ role, content }) =>
    [content].flat().flatMap(block => {
      const { type, text } = (block ?? {}) as { type?: unknown; text?: unknown };
      if (type === 'text') return [{ type: 'text', text: `${role}: ${text}` }];
      return [{ type: 'text', text: `${role}:` }, block as object];
    }),
  );
  return [...about, ...said];
}

const LONGEST_ADDRESS = 2000;
const LONGEST_WORDS = 240;

/** The server and the address are what is given back to read it: they stand first. */
function itemLine(server: string, address: string, about: readonly unknown[], description: unknown): string {
  const facts = about.filter(one => typeof one === 'string' && one !== '').map(one => inOneLine(one as string));
  const words = typeof description === 'string' ? inOneLine(description) : '';
  const head = `server ${server}: ${inOneLine(address, LONGEST_ADDRESS)}`;
  return `${head}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}${words === '' ? '' : ` ${words}`}`;
}

function inOneLine(text: string, maxChars = LONGEST_WORDS): string {
  return cleanAndCut(text, maxChars).replace(/\s+/g, ' ');
}

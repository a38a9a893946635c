/** What a tool says about itself, by how much each part tells. Servers are strangers: every part is bounded. */
import { isObject } from '../../base/json/is-object.ts';
import type { SearchableTool } from './tool-index.ts';

export interface ToolText {
  readonly server: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The names of its parameters, at any depth. */
  readonly parameters: string;
  /** What is said about them, and the values they take. */
  readonly parameterTexts: string;
}

export type TextField = keyof ToolText;

const MAX_NAME_CHARS = 400;
const MAX_TEXT_CHARS = 8_000;
const MAX_DEPTH = 5;
/** A schema with more parameters is generated, and the first tell what it is about. */
const MAX_PARAMETERS = 300;
const MAX_VALUES = 50;

export function textOf({ server, tool, title, description, inputSchema }: SearchableTool): ToolText {
  const names: string[] = [];
  const texts: string[] = [];
  collect(inputSchema, 0, names, texts);
  return {
    server: bounded(server, MAX_NAME_CHARS),
    name: bounded(tool, MAX_NAME_CHARS),
    title: bounded(title, MAX_NAME_CHARS),
    description: bounded(description, MAX_TEXT_CHARS),
    parameters: bounded(names.join(' '), MAX_TEXT_CHARS),
    parameterTexts: bounded(texts.join(' '), MAX_TEXT_CHARS),
  };
}

const MAX_OPENING_CHARS = 200;

/** The first sentence of a description: most say there what the tool is for. */
export function openingOf(description: string): string {
  const start = description.trim().slice(0, MAX_OPENING_CHARS);
  return /^[\s\S]{8,}?(?:[.!?](?=\s|$)|\n)/.exec(start)?.[0] ?? start;
}

export function sameText(a: ToolText, b: ToolText): boolean {
  return (Object.keys(a) as TextField[]).every(field => a[field] === b[field]);
}

function bounded(text: unknown, maxChars: number): string {
  return typeof text === 'string' ? text.slice(0, maxChars) : '';
}

function collect(schema: unknown, depth: number, names: string[], texts: string[]): void {
  if (depth > MAX_DEPTH || !isObject(schema)) return;
  const { properties, items, anyOf, oneOf, allOf } = schema;
  if (isObject(properties)) {
    for (const [name, property] of Object.entries(properties)) {
      if (names.length >= MAX_PARAMETERS) return;
      names.push(bounded(name, MAX_NAME_CHARS));
      describe(property, texts);
      collect(property, depth + 1, names, texts);
    }
  }
  for (const part of [items, anyOf, oneOf, allOf].flat(1).slice(0, MAX_VALUES)) collect(part, depth + 1, names, texts);
}

function describe(property: unknown, texts: string[]): void {
  if (!isObject(property)) return;
  texts.push(bounded(property.description, MAX_TEXT_CHARS));
  if (!Array.isArray(property.enum)) return;
  texts.push(...property.enum.slice(0, MAX_VALUES).map(value => bounded(value, MAX_NAME_CHARS)));
}

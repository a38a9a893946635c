/** A form of a server, filled in at a terminal: field by field, looked over, and sent only after a yes. */
import type { ElicitationAnswer, Field, FieldValue, FormElicitation } from '@junctor/core';
import { problemOfField } from '@junctor/core';
import { plainText } from '@junctor/core/light';
import type { Terminal } from './terminal.ts';

export async function fillForm(form: FormElicitation, server: string, terminal: Terminal): Promise<ElicitationAnswer> {
  terminal.say(`\nServer '${server}' asks: ${shown(form.message)}`);
  const willing = await terminal.agrees(opening(form.fields));
  if (!willing) return { action: willing === undefined ? 'cancel' : 'decline' };
  const content: Record<string, FieldValue> = {};
  for (const field of form.fields) {
    const value = await fillField(field, terminal);
    if (value === GONE) return { action: 'cancel' };
    if (value !== undefined) content[field.name] = value;
  }
  if (form.fields.length === 0) return { action: 'accept', content };
  for (const [name, value] of Object.entries(content)) terminal.say(`  ${shown(name)}: ${JSON.stringify(value)}`);
  const sure = await terminal.agrees(`Send this to server '${server}'?`);
  if (sure) return { action: 'accept', content };
  return { action: sure === undefined ? 'cancel' : 'decline' };
}

const GONE = Symbol('the person is gone');

/** Asks until the value fits. Undefined where the field is left out. */
async function fillField(field: Field, terminal: Terminal): Promise<FieldValue | undefined | typeof GONE> {
  if (field.description !== undefined) terminal.say(`  ${shown(field.description)}`);
  if ('options' in field) {
    for (const [index, { title }] of field.options.entries()) terminal.say(`  ${index + 1}) ${shown(title)}`);
  }
  for (;;) {
    const line = await terminal.ask(`${shown(field.title)}${howToAnswer(field)}: `);
    if (line === undefined) return GONE;
    if (line === '') {
      if (field.default !== undefined) return field.default;
      if (!field.required) return undefined;
      terminal.say('  it is required');
      continue;
    }
    const value = readValue(field, line);
    const problem = problemOfField(field, value);
    if (problem === undefined) return value as FieldValue;
    terminal.say(`  this ${problem}`);
  }
}

function howToAnswer(field: Field): string {
  const how = {
    boolean: 'y/n',
    choice: 'a number',
    choices: 'numbers apart by commas',
    text: '',
    number: '',
    integer: '',
  };
  const words = [how[field.kind], ...(field.required || field.default !== undefined ? [] : ['optional'])].filter(
    Boolean,
  );
  const proposed = field.default === undefined ? '' : ` [${shown(proposal(field))}]`;
  return `${words.length > 0 ? ` (${words.join(', ')})` : ''}${proposed}`;
}

function proposal(field: Field): string {
  if (field.kind === 'boolean') return field.default ? 'y' : 'n';
  if (!('options' in field)) return String(field.default);
  const chosen = typeof field.default === 'string' ? [field.default] : (field.default ?? []);
  return chosen.map(value => field.options.findIndex(option => option.value === value) + 1).join(', ');
}

/** What a line means for this field; what means nothing is left for the check to complain about. */
function readValue(field: Field, line: string): unknown {
  switch (field.kind) {
    case 'text':
      return line;
    case 'number':
    case 'integer':
      return Number(line);
    case 'boolean':
      return /^(y|yes|true)$/i.test(line) ? true : /^(n|no|false)$/i.test(line) ? false : line;
    case 'choice':
      return chosen(field, line);
    case 'choices':
      return line.split(',').map(part => chosen(field, part.trim()));
  }
}

/** By its number, its words or its value. */
function chosen({ options }: Extract<Field, { kind: 'choice' | 'choices' }>, line: string): string {
  const same = options.find(({ value, title }) => value === line || title.toLowerCase() === line.toLowerCase());
  return (same ?? options[/^\d+$/.test(line) ? Number(line) - 1 : -1])?.value ?? line;
}

/** A form without fields asks for nothing but a yes. */
function opening({ length }: readonly Field[]): string {
  if (length === 0) return 'Do you agree?';
  return `It wants to know ${length === 1 ? 'one thing' : `${length} things`}. Answer it?`;
}

/** A server's words on a terminal, as words and nothing else. */
export function shown(text: string): string {
  return plainText(text, { maxChars: 2000 });
}

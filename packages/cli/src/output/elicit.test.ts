import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ElicitationAnswer, Field, UrlElicitation } from '@junctor/core';
import { describe, expect, test } from 'vitest';
import { visitPage } from './elicit.ts';
import { fillForm } from './fill-form.ts';
import { Terminal } from './terminal.ts';

/** A person who types the next line whenever a question is shown; `null` ends the input. */
async function atTerminal(
  lines: readonly (string | null)[],
  run: (terminal: Terminal) => Promise<ElicitationAnswer>,
): Promise<{ answer: ElicitationAnswer; seen: string }> {
  const input = new PassThrough();
  const output = new PassThrough();
  const left = [...lines];
  let seen = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    seen += chunk;
    if (!/[:\]] $|\. $/.test(seen) || left.length === 0) return;
    const line = left.shift();
    if (line === null) input.end();
    else input.write(`${line}\n`);
  });
  using terminal = new Terminal(new AbortController().signal, { input, output });
  const answer = await run(terminal);
  await sleep(0);
  expect(left).toEqual([]);
  return { answer, seen };
}

const about = { title: 'X', required: true };
const fields: readonly Field[] = [
  { ...about, name: 'name', title: 'Name', description: 'As in your\u001b[31m passport', kind: 'text' },
  { ...about, name: 'mail', title: 'Mail', kind: 'text', format: 'email', required: false },
  { ...about, name: 'age', title: 'Age', kind: 'integer', minimum: 0, default: 42 },
  { ...about, name: 'ok', title: 'Agreed', kind: 'boolean', default: true },
  {
    ...about,
    name: 'hero',
    title: 'Hero',
    kind: 'choice',
    options: [
      { value: 'h1', title: 'Superman' },
      { value: 'h2', title: 'Batman' },
    ],
  },
  {
    ...about,
    name: 'fish',
    title: 'Fish',
    kind: 'choices',
    options: [
      { value: 'f1', title: 'Tuna' },
      { value: 'f2', title: 'Cod' },
    ],
    maxItems: 2,
    default: ['f2'],
  },
];

const form = (some: readonly Field[] = fields) =>
  ({ mode: 'form', message: 'Who are\u001b]0;x\u0007 you?', fields: some, requestedSchema: {} }) as const;

describe('a form at the terminal', () => {
  test('is filled in field by field, looked over and sent', async () => {
    const lines = ['y', '', 'Ada', '', '-1', '36', 'maybe', 'n', '3', '2', 'tuna, 2', 'y'];
    const { answer, seen } = await atTerminal(lines, terminal => fillForm(form(), 'demo', terminal));
    expect(answer).toEqual({
      action: 'accept',
      content: { name: 'Ada', age: 36, ok: false, hero: 'h2', fish: ['f1', 'f2'] },
    });
    expect(seen.split('\n')).toEqual([
      '',
      "Server 'demo' asks: Who are]0;x you?",
      'It wants to know 6 things. Answer it? [y/N]   As in your[31m passport',
      'Name:   it is required',
      'Name: Mail (optional): Age [42]:   this is less than 0',
      'Age [42]: Agreed (y/n) [y]:   this is neither true nor false',
      'Agreed (y/n) [y]:   1) Superman',
      '  2) Batman',
      'Hero (a number):   this is none of the choices',
      'Hero (a number):   1) Tuna',
      '  2) Cod',
      'Fish (numbers apart by commas) [2]:   name: "Ada"',
      '  age: 36',
      '  ok: false',
      '  hero: "h2"',
      '  fish: ["f1","f2"]',
      "Send this to server 'demo'? [y/N] ",
    ]);
  });

  test.for([
    ['declined at once', ['n'], { action: 'decline' }],
    ['declined at the end', ['y', 'Ada', 'n'], { action: 'decline' }],
    ['left at once', [null], { action: 'cancel' }],
    ['left in the middle', ['y', null], { action: 'cancel' }],
  ] as const)('%s', async ([, lines, expected]) => {
    const one = form(fields.slice(0, 1));
    const { answer } = await atTerminal(lines, terminal => fillForm(one, 'demo', terminal));
    expect(answer).toEqual(expected);
  });

  test('without fields asks for a yes', async () => {
    const { answer, seen } = await atTerminal(['y'], terminal => fillForm(form([]), 'demo', terminal));
    expect(answer).toEqual({ action: 'accept', content: {} });
    expect(seen).toContain('Do you agree? [y/N]');
  });
});

describe('a page at the terminal', () => {
  const page = (more: Partial<UrlElicitation> = {}): UrlElicitation => ({
    mode: 'url',
    message: 'Sign in',
    url: 'https://exаmple.test/in?a=1',
    holdsCall: false,
    completed: new Promise(() => {}),
    ...more,
  });
  const visit = async (lines: readonly (string | null)[], question: UrlElicitation) => {
    const opened: string[] = [];
    const { answer, seen } = await atTerminal(lines, terminal =>
      visitPage(question, 'demo', terminal, async url => void opened.push(url.href)),
    );
    return { answer, seen, opened };
  };

  test('is shown in full, as the browser will read it, and opened after a yes', async () => {
    const { answer, seen, opened } = await visit(['y'], page());
    // The first letter a of the name is a Cyrillic one.
    expect(seen).toContain(
      "Server 'demo' wants you to visit a page on xn--exmple-4nf.test: Sign in\n  https://xn--exmple-4nf.test/in?a=1\n",
    );
    expect(answer).toEqual({ action: 'accept' });
    expect(opened).toEqual(['https://xn--exmple-4nf.test/in?a=1']);
  });

  test('is not opened after a no, nor without an answer', async () => {
    expect(await visit(['n'], page())).toMatchObject({ answer: { action: 'decline' }, opened: [] });
    expect(await visit([null], page())).toMatchObject({ answer: { action: 'cancel' }, opened: [] });
  });

  test('that a call waits for is answered when the person, or the server, says that it is done', async () => {
    expect(await visit(['y', ''], page({ holdsCall: true }))).toMatchObject({ answer: { action: 'accept' } });
    expect(await visit(['y'], page({ holdsCall: true, completed: sleep(20) }))).toMatchObject({
      answer: { action: 'accept' },
    });
  });
});

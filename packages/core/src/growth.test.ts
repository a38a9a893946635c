/** Whatever meets a stranger's text takes time that grows like the text. Each row is a text that makes bad code slow. */
import { fasterThanText, type GrowthRow, times } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './base/json/canonical-json.ts';
import { parseExactly } from './base/json/exact-json.ts';
import { maskArguments } from './base/log/mask-arguments.ts';
import { namesSecret, Redactor } from './base/log/redact.ts';
import { compileGlob, compilePathGlob } from './base/text/glob.ts';
import { headAndTail } from './base/text/head-and-tail.ts';
import { nearest } from './base/text/nearest.ts';
import { plainText } from './base/text/plain-text.ts';
import { escapeUnseen } from './base/text/unseen.ts';
import { visibleText } from './base/text/visible-text.ts';
import { slug } from './catalogue/naming/slug.ts';
import { wordsOf } from './catalogue/search/words.ts';
import { cleanAndCut, cleanText } from './catalogue/untrusted/clean-text.ts';
import { describeTool } from './catalogue/untrusted/describe-tool.ts';
import { passwordsIn } from './config/masking/address-password.ts';
import { hideSecrets } from './config/masking/hide-secrets.ts';
import { literalSecrets } from './config/masking/literal-secrets.ts';
import { maskDefinition } from './config/masking/masking.ts';
import { shellLines } from './config/reading/pasted/shell-words.ts';
import { parseTemplate } from './config/template.ts';
import { readChallenge } from './connections/auth/challenge.ts';
import { Tail } from './connections/process/tail.ts';
import { describeBody } from './connections/transports/http/web-page.ts';
import { compileConditions, type Reading } from './permissions/arguments.ts';
import { withoutInlineMedia } from './results/media/inline-media.ts';
import { findText } from './results/reading/find-text.ts';

const redactor = new Redactor();
redactor.learn('s3cr3t-value');
const mask = (text: string): string => redactor.mask(text);
const url = (text: string) => ({ transport: 'http', url: `https://example.com/?${text}` }) as const;
const conditions = (value: string, reading: Reading) => compileConditions([{ name: 'text', value }], reading);

const rows: Readonly<Record<string, GrowthRow>> = {
  'Redactor.mask': [
    mask,
    n => `authorization:${times(' ', n)}!`,
    n => times('authorization', n),
    n => times('authorization: ', n),
    n => times('authorization"', n),
    n => `bearer${times(' ', n)}!`,
    n => times('bearer ', n),
    n => `bearer ${times('a', n)}`,
    n => times('jct_', n),
    n => times('//a:', n),
    n => `//${times('a', n)}`,
    n => `//a:${times(':', n)}`,
    n => times('s3cr3t-', n),
  ],
  'Redactor.unfinishedAt': [
    text => redactor.unfinishedAt(text),
    n => times('s3cr3t-', n),
    n => times('s', n),
    n => times('a', n),
  ],
  maskArguments: [text => maskArguments({ [text]: [text] }, mask), n => `authorization:${times(' ', n)}!`],
  'maskArguments (lists in lists)': [text => maskArguments(nested(text), mask), n => times('a', n)],
  namesSecret: [namesSecret, n => times('pass', n), n => times('-', n), n => times('api-', n)],
  'a rule on an argument': [
    text => conditions('*http*internal*admin', 'generous')({ text }),
    n => times('http', n),
    n => times('httpinternal', n),
    n => times('internaladmi', n),
  ],
  'an allow rule on an argument': [
    text => conditions('*a*a*a*b', 'narrow')({ text }),
    n => times('a', n),
    n => times('/', n),
  ],
  'a rule on lists in lists': [text => conditions('x', 'generous')({ text: nested(text) }), n => times('a', n)],
  'a path in a rule': [text => conditions('/etc/**', 'generous')({ text }), n => times('../', n), n => times('a/', n)],
  compileGlob: [text => compileGlob('*a?a*a?b*').test(text), n => times('a', n)],
  compilePathGlob: [text => compilePathGlob('**a*a**a*b').test(text), n => times('a', n), n => times('a/', n)],
  headAndTail: [text => headAndTail(text, 100), n => times('a', n)],
  nearest: [text => nearest(text, [`${text}b`]), n => times('a', n)],
  plainText: [text => plainText(text, { maxChars: Number.POSITIVE_INFINITY, lines: true }), ...blank()],
  visibleText: [visibleText, ...blank()],
  escapeUnseen: [escapeUnseen, ...blank()],
  cleanText: [cleanText, ...blank()],
  cleanAndCut: [text => cleanAndCut(text, text.length), ...blank()],
  describeTool: [
    text => describeTool(text, { server: text, tool: text }, text.length),
    n => times('[server: ', n),
    n => times(' ', n),
    n => times('\n', n),
  ],
  slug: [text => slug(text, { characters: new Set('ab'), forbidden: ['__', 'aa'] }), n => times('a', n)],
  wordsOf: [text => wordsOf(text, text.length), n => times('A', n), n => times('aB', n), n => times('日', n)],
  findText: [text => findText(text, 'aab', { from: 0, to: text.length, maxChars: 1000 }), n => times('a', n)],
  readChallenge: [
    text => readChallenge(`Bearer ${text}`),
    n => times('a', n),
    n => times('a=" ', n),
    n => `a="${times('\\"', n)}`,
    n => times(', ', n),
  ],
  describeBody: [
    text => describeBody(`<html>${text}`),
    n => times('<title', n),
    n => times('<title>', n),
    n => times(' ', n),
  ],
  Tail: [
    text => {
      const tail = new Tail(Number.POSITIVE_INFINITY);
      tail.push(text);
      return tail.lines(20);
    },
    n => times('\u001b]', n),
    n => times('\u001b[', n),
    n => ` at ${times('node', n)}`,
    n => times(' ', n),
  ],
  withoutInlineMedia: [
    text => withoutInlineMedia(`${text};base64,`, () => ''),
    n => times('data:a/a;', n),
    n => `data:a/a${times(';a', n)}`,
    n => times('/9j/', n),
    n => times('data:', n),
  ],
  parseTemplate: [parseTemplate, n => times('${', n), n => times('${A:-', n), n => times('$', n)],
  passwordsIn: [passwordsIn, n => times('a://', n), n => times('a://b:', n), n => times('a', n), n => times('@', n)],
  'secrets in an address': [
    text => [literalSecrets(url(text)), hideSecrets('/a/junctor.json', 'a', url(text)), maskDefinition(url(text))],
    n => times('?', n),
    n => times('&', n),
    n => times('a=', n),
  ],
  'a pasted definition': [shellLines, n => times('"', n), n => times('\\', n), n => times('\'a"', n)],
  canonicalJson: [text => canonicalJson(nested(text)), n => times('a', n)],
  parseExactly: [text => parseExactly(`"${text}"`), n => times(',', n), n => times('[ ', n), n => times(': 1', n)],
};

function nested(text: string): unknown {
  // As deep as a message may nest, and as wide as the text is long.
  let value: unknown = [...text];
  for (let level = 0; level < Math.min(400, text.length); level++) value = [value];
  return value;
}

function blank(): ((n: number) => string)[] {
  return [' ', '\n', '\r', '\t', '\u200b', '\u2028', '\ud800', 'a\u0301'].map(sign => (n: number) => times(sign, n));
}

describe('the work grows like the text it meets', () => {
  test.each(Object.entries(rows))('%s', (_name, row) => expect(fasterThanText(row)).toEqual([]));

  test('a run of more letters than the stack of the engine holds is masked', () => {
    const long = times('a', 17_000_000);
    for (const text of [`jct_${long}`, `bearer 1${long}`, `authorization: ${long}`])
      expect(mask(text)).toContain('•••');
    expect(mask(`//a:${long}`)).toHaveLength(long.length + 4);
  });
});

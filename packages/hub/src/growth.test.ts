/** What clients and servers send a hub is read in time that grows like it. */
import { fasterThanText, type GrowthRow, times } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { approvalForm } from './approvals/client-question.ts';
import { isToolError } from './calls/answer-seen.ts';
import { describedEvent } from './calls/described-event.ts';
import { keptArguments } from './calls/kept-arguments.ts';
import { greetingIn } from './front/pipe-words.ts';
import { HubProofs } from './replicas/hub-proofs.ts';
import { exactAnswer } from './results/exact-answer.ts';
import { isPlainFrame } from './results/plain-frame.ts';
import { readPublicUri } from './results/public-uri.ts';
import { sanitised } from './results/sanitise.ts';
import { bearerAt, openedBy } from './security/access-token.ts';
import { cookieOf } from './security/cookies.ts';

const mask = (text: string): string => text.replaceAll('secret', '•••');
const frame = (text: string): Buffer[] => [Buffer.from(text)];
const answer = (text: string) => `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"${text}"}]}}`;
const proofs = new HubProofs('me', () => 0);
const odd = [' ', '\n', '\u200b', '\ud800', '<', '](', '\u001b['].map(sign => (n: number) => times(sign, n));

const rows: Readonly<Record<string, GrowthRow>> = {
  'sanitised, untrusted': [
    text => sanitised({ content: [{ type: 'text', text }], structuredContent: { a: text } }, origin(false)),
    ...odd,
  ],
  'sanitised, trusted': [text => sanitised({ content: [{ type: 'text', text }] }, origin(true)), ...odd],
  exactAnswer: [
    text => exactAnswer(frame(answer(text))),
    n => times('a', n),
    n => times('\\"', n),
    n => times('1,', n),
  ],
  isPlainFrame: [
    text => isPlainFrame(frame(answer(text))),
    n => times('a', n),
    n => times('\\\\', n),
    n => times('\\u200b', n),
    n => times('é', n),
  ],
  isToolError: [
    text => isToolError({ pieces: frame(text), bytes: text.length, code: undefined }),
    n => times('"isError"', n),
    n => times('"isError" ', n),
  ],
  keptArguments: [
    text => [keptArguments({ [text]: text }, mask), keptArguments([...text], mask)],
    n => times('a', n),
    n => times('password', n),
    n => times('"', n),
  ],
  describedEvent: [text => describedEvent({ type: 'x', args: { text }, result: text }, mask), n => times('a', n)],
  approvalForm: [
    text =>
      ['short', 'whole'].map(kind =>
        approvalForm(
          { server: 'a', tool: text, args: { text, deep: [[text]] }, because: 'it' } as Parameters<
            typeof approvalForm
          >[0],
          kind as 'short',
        ),
      ),
    n => times('a', n),
    n => times('\n', n),
    n => times('\u202e', n),
  ],
  cookieOf: [
    text => cookieOf({ headers: { cookie: text } }, 'junctor'),
    n => times(';', n),
    n => times('a=', n),
    n => times(' ', n),
    n => times('junctor', n),
  ],
  bearerAt: [bearerAt, n => `/mcp/${times('a', n)}`, n => `/servers/${times('/', n)}`, n => times('/mcp', n)],
  openedBy: [
    text => openedBy({ scope: text, sub: text } as Parameters<typeof openedBy>[0], 'https://hub.test'),
    n => times('a ', n),
    n => times(' ', n),
    n => times('junctor:agent:', n),
  ],
  readPublicUri: [readPublicUri, n => `junctor://${times('a', n)}`, n => `junctor://a/${times('%', n)}`],
  greetingIn: [greetingIn, n => times('{', n), n => `{"agent":"${times('a', n)}"}`],
  'a proof of a hub': [
    text => proofs.shownBy([{ life: 'you', key: text }], `jch_${text}`, { method: 'GET', path: text }),
    n => times('.', n),
    n => `you.0.${times('a', n)}`,
  ],
};

function origin(trusted: boolean): Parameters<typeof sanitised>[1] {
  return { server: 'a', tool: 'b', trusted } as Parameters<typeof sanitised>[1];
}

describe('the work of a hub grows like what it meets', () => {
  test.each(Object.entries(rows))('%s', (_name, row) => expect(fasterThanText(row)).toEqual([]));
});

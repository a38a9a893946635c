/** Whether a call may run, asked between the lines of a run: once, for this session, always, or no with a word to the model. */
import type { Answer, Ask, Question } from '@junctor/core';
import { argumentLines, maskArguments, visibleText } from '@junctor/core/light';
import { NATIVE } from '../native/permitted.ts';
import type { Desk } from './desk.ts';

const SHORT = { quoted: true, maxChars: 400, maxLines: 21 };

export interface Masks {
  /** Also what only looks like a secret, or is named like one. */
  mask(text: string): string;
  maskKnown(text: string): string;
}

export function askAtDesk(desk: Desk, masks: Masks): Ask {
  // Calls run side by side; their questions come one after the other.
  let before: Promise<unknown> = Promise.resolve();
  return question => {
    const answer = before.then(() => askOne(desk, question, masks));
    before = answer.catch(() => {});
    return answer;
  };
}

async function askOne(desk: Desk, question: Question, { mask, maskKnown }: Masks): Promise<Answer> {
  const { server, tool, because, changed = [], signal } = question;
  if (signal?.aborted) return 'deny';
  const whose = server === NATIVE ? '' : ` on server '${server}'`;
  const args = maskArguments(question.args, mask);
  // The person who decides can read all but the secrets of the config. A password is shown only when they ask for it.
  const readable = maskArguments(question.args, maskKnown, { byName: false });
  const { lines, isCut } = argumentLines(args, SHORT);
  const isHidden = JSON.stringify(args) !== JSON.stringify(readable);
  const indented = [...lines, ...changed].map(line => `  ${line}`);
  desk.say([`Call '${visibleText(tool)}'${whose}? (${because})`, ...indented].join('\n'));
  const full = `${isCut ? ', (f)ull arguments' : ''}${isHidden ? ', (r)eveal hidden values' : ''}`;
  for (;;) {
    const line = await desk.ask(`allow it? (o)nce, (s)ession, (a)lways${full}, (n)o, or say why not: `, signal);
    if (line === undefined) return 'deny';
    const answer = ANSWERS[line.toLowerCase()];
    if (answer === 'full' || answer === 'reveal') {
      const whole = argumentLines(answer === 'full' ? args : readable, { quoted: true }).lines;
      desk.say(whole.map(one => `  ${one}`).join('\n'));
      continue;
    }
    if (answer !== undefined) return answer;
    if (line.length > 3) return { scope: 'deny', note: line };
    desk.say('  o, s or a allow it; n or nothing denies it; a sentence denies it and is told to the model');
  }
}

const ANSWERS: Readonly<Record<string, Answer | 'full' | 'reveal'>> = Object.assign(Object.create(null), {
  ...{ o: 'once', once: 'once', y: 'once', yes: 'once' },
  ...{ s: 'session', session: 'session', a: 'always', always: 'always' },
  ...{ '': 'deny', n: 'deny', no: 'deny', f: 'full', full: 'full' },
  ...{ r: 'reveal', reveal: 'reveal' },
});

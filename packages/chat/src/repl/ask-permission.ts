/** Whether a call may run, asked between the lines of a run: once, for this session, always, or no with a word to the model. */
import type { Answer, Ask, Question } from '@junctor/core';
import { maskArguments, visibleText } from '@junctor/core/light';
import { NATIVE } from '../native/permitted.ts';
import type { Desk } from './desk.ts';

const MOST_SHOWN = 400;

export function askAtDesk(desk: Desk, mask: (text: string) => string): Ask {
  // Calls run side by side; their questions come one after the other.
  let before: Promise<unknown> = Promise.resolve();
  return question => {
    const answer = before.then(() => askOne(desk, question, mask));
    before = answer.catch(() => {});
    return answer;
  };
}

async function askOne(desk: Desk, question: Question, mask: (text: string) => string): Promise<Answer> {
  const { server, tool, because, changed = [], signal } = question;
  if (signal?.aborted) return 'deny';
  const whose = server === NATIVE ? '' : ` on server '${server}'`;
  const args = Object.entries((maskArguments(question.args, mask) ?? {}) as object);
  const lines = args.map(([name, value]) => `  ${visibleText(name)}: ${shortened(visibleText(JSON.stringify(value)))}`);
  desk.say(
    [`Call '${visibleText(tool)}'${whose}? (${because})`, ...lines, ...changed.map(line => `  ${line}`)].join('\n'),
  );
  for (;;) {
    const line = await desk.ask('allow it? (o)nce, (s)ession, (a)lways, (n)o, or say why not: ', signal);
    if (line === undefined) return 'deny';
    const answer = ANSWERS[line.toLowerCase()];
    if (answer !== undefined) return answer;
    if (line.length > 3) return { scope: 'deny', note: line };
    desk.say('  o, s or a allow it; n or nothing denies it; a sentence denies it and is told to the model');
  }
}

const ANSWERS: Readonly<Record<string, Answer>> = Object.assign(Object.create(null), {
  ...{ o: 'once', once: 'once', y: 'once', yes: 'once' },
  ...{ s: 'session', session: 'session', a: 'always', always: 'always' },
  ...{ '': 'deny', n: 'deny', no: 'deny' },
});

function shortened(text: string): string {
  const rest = text.length - MOST_SHOWN;
  return rest <= 0 ? text : `${text.slice(0, MOST_SHOWN)}… (${rest} more characters)`;
}

/** Questions at the terminal that decide something: anything but a clear yes is a no. */
import type { Answer, Question } from '@junctor/core';
import { argumentLines, JunctorError, maskArguments, visibleText } from '@junctor/core/light';
import type { Context } from '../context.ts';
import { Terminal } from './terminal.ts';

export async function askYesNo(question: string, signal: AbortSignal): Promise<boolean> {
  using terminal = new Terminal(signal);
  const agreed = await terminal.agrees(question);
  // Ctrl-C at the question is an answer of its own; the end of the input, which is Ctrl-D, is none.
  if (signal.aborted) throw new JunctorError('cancelled', 'Interrupted.');
  return agreed === true;
}

type AskContext = Pick<Context, 'redactor' | 'signal'>;

/** Whether a call may run, and for how long that holds. The server, the tool and the arguments are shown first. */
export async function askPermission(question: Question, context: AskContext): Promise<Answer> {
  const { server, tool, because, changed = [] } = question;
  const signals = question.signal ? [context.signal, question.signal] : [context.signal];
  using terminal = new Terminal(AbortSignal.any(signals));
  const args = maskArguments(question.args, text => context.redactor.mask(text));
  // The person who decides can read all but the secrets of the config. A password is shown only when they ask for it.
  const readable = maskArguments(question.args, text => context.redactor.maskKnown(text), { byName: false });
  const isHidden = JSON.stringify(args) !== JSON.stringify(readable);
  const { lines: short, isCut } = argumentLines(args, { quoted: true, maxChars: SHORT_WIDTH, maxLines: SHORT_LINES });
  const more = `${isCut ? ', (f)ull arguments' : ''}${isHidden ? ', (r)eveal hidden values' : ''}`;
  const what =
    tool === SAMPLING ? `Let server '${server}' use your model` : `Call '${visibleText(tool)}' on server '${server}'`;
  terminal.say(`${what}? (${because})`);
  for (const line of [...(short.length === 0 ? ['(no arguments)'] : short), ...changed]) terminal.say(`  ${line}`);
  for (;;) {
    const line = await terminal.ask(
      `Allow it? (o)nce, for this (s)ession, (a)lways, always for (e)very agent${more} [N] `,
    );
    if (line === undefined && context.signal.aborted) throw new JunctorError('cancelled', 'Interrupted.');
    const answer = ANSWERS[(line ?? '').toLowerCase()];
    if (answer === undefined) terminal.say('  answer o, s, a or e to allow it, n or nothing to deny it');
    else if (answer !== 'full' && answer !== 'reveal') return answer;
    else
      for (const one of argumentLines(answer === 'full' ? args : readable, { quoted: true }).lines)
        terminal.say(`  ${one}`);
  }
}

/** What a question is named that a server asks, not a call. */
const SAMPLING = 'sampling/createMessage';

/** Not only for the caller that is asked about: for agents at a hub, too. */
const EVERY_AGENT: Answer = { scope: 'always', allAgents: true };

const ANSWERS: Readonly<Record<string, Answer | 'full' | 'reveal'>> = Object.assign(Object.create(null), {
  ...{ o: 'once', once: 'once', y: 'once', yes: 'once' },
  ...{ s: 'session', session: 'session', a: 'always', always: 'always' },
  ...{ e: EVERY_AGENT, every: EVERY_AGENT },
  ...{ '': 'deny', n: 'deny', no: 'deny', f: 'full', full: 'full' },
  ...{ r: 'reveal', reveal: 'reveal' },
});

const SHORT_WIDTH = 300;
const SHORT_LINES = 21;

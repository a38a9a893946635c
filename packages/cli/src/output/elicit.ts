/** What a server asks of the person who runs a command: answered at the terminal, declined where there is none. */
import type { Asker, Elicit, Elicitation, ElicitationAnswer, UrlElicitation } from '@junctor/core';
import type { Context } from '../context.ts';
import { fillForm, shown } from './fill-form.ts';
import { openBrowser } from './open-browser.ts';
import { Terminal } from './terminal.ts';

export function elicitWith(context: Context): Elicit {
  if (!context.interactive) {
    return (question, { server }) => {
      context.talk(
        `Server '${server}' asks: ${shown(question.message)}${question.mode === 'url' ? ` ${shown(question.url)}` : ''}`,
      );
      context.talk('  declined: no terminal is there to answer on');
      return { action: 'decline' };
    };
  }
  let before: Promise<unknown> = Promise.resolve();
  return (question, asker) => {
    // One question at a time, whoever asks.
    const answer = before.then(() => answerNow(question, asker, context));
    before = answer.catch(() => {});
    return answer;
  };
}

async function answerNow(
  question: Elicitation,
  { server, signal }: Asker,
  context: Context,
): Promise<ElicitationAnswer> {
  if (signal.aborted) return { action: 'cancel' };
  using terminal = new Terminal(AbortSignal.any([signal, context.signal]));
  if (question.mode === 'form') return await fillForm(question, server, terminal);
  const open = (url: URL): Promise<void> =>
    openBrowser(url, context.surroundings, why => context.talk(`  could not open it (${why}): open it yourself`));
  return await visitPage(question, server, terminal, open);
}

/** A page that a server wants visited: shown in full with who asks, and opened only after a yes. */
export async function visitPage(
  { message, url, holdsCall, completed }: UrlElicitation,
  server: string,
  terminal: Terminal,
  open: (url: URL) => Promise<void>,
): Promise<ElicitationAnswer> {
  const page = new URL(url);
  terminal.say(`\nServer '${server}' wants you to visit a page on ${page.host}: ${shown(message)}`);
  // As the browser will read it: letters that only look like others show as what they are.
  terminal.say(`  ${page.href}`);
  const willing = await terminal.agrees('Open it in your browser?');
  if (!willing) return { action: willing === undefined ? 'cancel' : 'decline' };
  await open(page);
  if (!holdsCall) return { action: 'accept' };
  const done = await Promise.race([
    terminal.ask('Press Enter when you are done there; the call is made then. '),
    completed.then(() => ''),
  ]);
  return { action: done === undefined ? 'cancel' : 'accept' };
}

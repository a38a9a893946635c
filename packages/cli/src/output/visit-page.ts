/** A page that a server wants visited: shown in full with who asks, and opened only after a yes. */
import type { ElicitationAnswer, UrlElicitation } from '@junctor/core';
import { shown } from './fill-form.ts';
import type { Terminal } from './terminal.ts';

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

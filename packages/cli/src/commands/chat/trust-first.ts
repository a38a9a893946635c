/** A project that was cloned brings servers along. Before any of them starts, the person sees them and says yes or no. */
import { loadMcpConfig } from '@junctor/core/config-read';
import { TrustBook } from '@junctor/core/config-write';
import { dataDirectory } from '@junctor/core/light';
import { type Context, loadOptions } from '../../context.ts';
import { askYesNo } from '../../output/ask.ts';
import { waitingLines } from '../trust/consent-lines.ts';

export async function askForTrust(context: Context): Promise<void> {
  const { surroundings, global, signal } = context;
  const { servers, layers } = await loadMcpConfig(loadOptions(context));
  const book = new TrustBook(dataDirectory(surroundings, global.data), surroundings);
  const states = await book.states(servers.values());
  const waiting = [...servers.values()].filter(({ id }) => states.get(id) === 'waiting');
  const powers = (await book.powers(layers)).filter(({ approved }) => !approved);
  if (waiting.length === 0 && powers.length === 0) return;
  context.talk('This project brings along what you have not approved yet:');
  for (const line of waitingLines(waiting, powers)) context.talk(`  ${line}`);
  if (!(await askYesNo('Do you trust it? Its servers start programs on this machine.', signal))) {
    context.talk('not approved: it goes on without them. Later: junctor trust add --all');
    return;
  }
  await book.approve(waiting);
  await book.approvePowers(powers);
}

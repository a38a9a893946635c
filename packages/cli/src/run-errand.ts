/** Runs a command inside the hub for whoever typed it elsewhere on this machine, and collects what it says. */
import type { Errand, ErrandDone } from '@junctor/hub/errand';
import { COMMANDS } from './commands/table.ts';
import { findCommand } from './parse.ts';
import { RunElsewhere, runLine } from './run-line.ts';

/** Undefined for a command that has to run where it was typed. */
export async function runErrand({ words, surroundings }: Errand, signal: AbortSignal): Promise<ErrandDone | undefined> {
  // A hub outlives the files it was started from: what cannot be loaded any more runs where it was typed.
  const command = await findCommand(words, COMMANDS)
    ?.load()
    .catch(() => undefined);
  if (!command?.atHub) return undefined;
  const said: ErrandDone['said'][number][] = [];
  const voice = {
    answer: (text: string) => void said.push(['answer', text]),
    document: (json: string) => void said.push(['document', json]),
    talk: (text: string) => void said.push(['talk', text]),
  };
  try {
    return { code: await runLine(words, { surroundings, voice, attended: false, errand: signal }), said };
  } catch (error) {
    if (error instanceof RunElsewhere) return undefined;
    throw error;
  }
}

/** A command typed at this terminal, or by a program. */
import { cleanText, escapeUnseen, ownSurroundings, type Surroundings } from '@junctor/core/light';
import { Unheard } from './output/unheard.ts';
import { runLine, type Stand, type Voice } from './run-line.ts';

export async function main(argv: readonly string[]): Promise<void> {
  const attended = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const unheard = new Unheard();
  unheard.watch(process.stdout, process.stderr);
  process.exitCode = unheard.code(await runLine(argv, new OwnStand(attended, unheard.signal)));
}

class OwnStand implements Stand {
  readonly voice = TERMINAL;
  readonly attended: boolean;
  readonly unread: AbortSignal;

  constructor(attended: boolean, unread: AbortSignal) {
    this.attended = attended;
    this.unread = unread;
  }

  get columns(): number | undefined {
    return process.stdout.isTTY ? process.stdout.columns : undefined;
  }

  /** Asked for when a command needs it: help is given also in a folder that is gone. */
  get surroundings(): Surroundings {
    return ownSurroundings();
  }
}

const TERMINAL: Voice = {
  answer: text => print(process.stdout, text),
  document: json => void process.stdout.write(`${process.stdout.isTTY ? escapeUnseen(json) : json}\n`),
  talk: text => print(process.stderr, text),
};

/** An answer that goes to a program goes there byte for byte. */
function print(stream: NodeJS.WriteStream, text: string): void {
  const shown = stream.isTTY || stream === process.stderr ? cleanText(text) : text;
  stream.write(shown.endsWith('\n') ? shown : `${shown}\n`);
}

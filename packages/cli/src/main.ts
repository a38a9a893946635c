/** A command typed at this terminal, or by a program. */
import { ownSurroundings } from '@junctor/core/light';
import { steerless, steerlessJson } from './output/steerless.ts';
import { runLine, type Voice } from './run-line.ts';

export async function main(argv: readonly string[]): Promise<void> {
  const attended = process.stdin.isTTY === true && process.stderr.isTTY === true;
  process.exitCode = await runLine(argv, { surroundings: ownSurroundings(), voice: TERMINAL, attended });
}

const TERMINAL: Voice = {
  answer: text => print(process.stdout, text),
  document: json => void process.stdout.write(`${process.stdout.isTTY ? steerlessJson(json) : json}\n`),
  talk: text => print(process.stderr, text),
};

/** An answer that goes to a program goes there byte for byte. */
function print(stream: NodeJS.WriteStream, text: string): void {
  const shown = stream.isTTY || stream === process.stderr ? steerless(text) : text;
  stream.write(shown.endsWith('\n') ? shown : `${shown}\n`);
}

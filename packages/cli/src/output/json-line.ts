/** One of many documents for a program that reads them as they come: each has a line to itself. */
import type { Context } from '../context.ts';

export function printJsonLine({ redactor }: Context, document: unknown): void {
  process.stdout.write(`${redactor.maskKnown(JSON.stringify(document))}\n`);
}

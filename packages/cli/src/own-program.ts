/** Junctor as it runs now, by absolute paths: what starts it again from any folder and with any PATH. */
import type { ProgramCommand } from '@junctor/core/config-write';

export function ownProgram(): ProgramCommand {
  return { command: process.execPath, args: [process.argv[1] as string] };
}

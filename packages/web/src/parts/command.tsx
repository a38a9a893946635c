import { type CommandKind, useCommandLine } from '../api/commands.ts';

/** A command of Junctor inside a sentence, as it is typed for this hub. */
export function Command({ words, kind }: { words: string; kind?: CommandKind }) {
  const line = useCommandLine();
  return <code className="foreign">{line?.(words, kind) ?? '…'}</code>;
}

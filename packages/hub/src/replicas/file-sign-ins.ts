/**
 * A shelf that takes over what lies in the file of sign-ins: from the time when the hub had no such database, or from a
 * `junctor mcp login` beside it. What was taken over leaves the file, so that nobody spends its refresh token besides us.
 */
import { stat } from 'node:fs/promises';
import type { TokenEntry, TokenShelf } from '@junctor/core';
import type { TokenFile } from '@junctor/core/internal';

export function takingOver(file: TokenFile, shelf: TokenShelf, onProblem: (error: unknown) => void): TokenShelf {
  let seen: string | undefined;
  let taking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    const found = await stat(file.path).catch(() => undefined);
    const version = found && `${found.ino}:${found.mtimeMs}:${found.size}`;
    if (version === seen) return;
    seen = version;
    // A file that cannot be read, or a database that cannot keep it: the entries stay where they are.
    await takeOver(file, shelf).catch(onProblem);
  };
  const looked = (): Promise<void> => {
    taking = taking.then(look);
    return taking;
  };
  return {
    entries: () => looked().then(() => shelf.entries()),
    get: name => looked().then(() => shelf.get(name)),
    change: (name, edit) => shelf.change(name, edit),
    exclusively: (name, work) => shelf.exclusively(name, work),
  };
}

async function takeOver(file: TokenFile, shelf: TokenShelf): Promise<void> {
  for (const name of (await file.entries()).keys()) {
    // A command that is renewing it now is waited for: what it gets is what counts.
    await file.exclusively(name, async () => {
      const entry = await file.get(name);
      if (!entry) return;
      await shelf.change(name, kept => (kept && obtainedAt(kept) >= obtainedAt(entry) ? kept : entry));
      await file.change(name, () => undefined);
    });
  }
}

function obtainedAt({ obtained_at }: TokenEntry): number {
  return obtained_at ?? 0;
}

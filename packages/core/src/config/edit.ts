import { readFile } from 'node:fs/promises';
import { applyEdits, type FormattingOptions, modify } from 'jsonc-parser';
import { writeFileAtomic } from '../base/atomic-file.ts';
import { JunctorError } from '../base/error.ts';
import { withFileLock } from '../base/file-lock.ts';
import { readDocument } from './document.ts';
import { parseMcpConfig } from './parse.ts';
import { describeProblem } from './problem.ts';
import type { McpServerDef } from './schema.ts';

const NEW_FILE = '{\n  "version": 1,\n  "servers": {}\n}\n';

/** Writes one server into a config file, keeping the person's comments, order and indentation. */
export async function addServer(
  file: string,
  id: string,
  definition: McpServerDef,
  { replace = false }: { replace?: boolean } = {},
): Promise<void> {
  parseMcpConfig({ version: 1, servers: { [id]: definition } });
  await withFileLock(file, async () => {
    const text = (await readFile(file, 'utf8').catch(absentAsUndefined)) || NEW_FILE;
    const read = readDocument(file, text);
    if (!read.ok) {
      throw new JunctorError('config_unreadable', `${file} cannot be edited: it is not valid.`, {
        why: read.problems.map(describeProblem).join('\n'),
        hint: 'mend the file, then run the command again',
      });
    }
    const servers = (read.document.value as { servers?: Record<string, unknown> }).servers;
    if (servers && Object.hasOwn(servers, id) && !replace) {
      throw new JunctorError('config_conflict', `${file} already defines a server '${id}'.`, {
        hint: 'add --replace to overwrite it, or choose another id',
      });
    }
    const edits = modify(text, ['servers', id], definition, { formattingOptions: indentationOf(text) });
    await writeFileAtomic(file, applyEdits(text, edits));
  });
}

function absentAsUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

/** The indentation a file already uses, so that an edit looks like its surroundings. */
function indentationOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return indent.startsWith('\t')
    ? { insertSpaces: false, tabSize: 1, eol }
    : { insertSpaces: true, tabSize: indent.length, eol };
}

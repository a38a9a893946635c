// Files over 250 lines, each worth a second look. It lists them; it does not fail.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LONG = 250;

export function longFiles(root) {
  const tracked = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  return tracked
    .split('\n')
    .filter(Boolean)
    .map(file => ({ file, lines: lineCount(join(root, file)) }))
    .filter(({ lines }) => lines > LONG)
    .sort((a, b) => b.lines - a.lines);
}

function lineCount(path) {
  try {
    return readFileSync(path, 'utf8').split('\n').length - 1;
  } catch {
    return 0; // deleted, but not yet committed
  }
}

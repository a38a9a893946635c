/** Runs what a page tells its reader to type, and compares what comes back with what the page shows. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Home, ROOT } from '@junctor/testkit';

export interface Shown {
  readonly command: string;
  readonly output: string;
}

/** The commands of the `console` blocks of a page, each with the output shown under it. */
export function commandsOf(page: string): Shown[] {
  const blocks = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```console\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, block]) =>
    (block as string)
      .split(/^\$ /m)
      .slice(1)
      .map(part => {
        const [command, ...lines] = part.trimEnd().split('\n');
        return { command: command as string, output: lines.join('\n') };
      }),
  );
}

/** The blocks of one language. */
export function blocksOf(page: string, language: string): string[] {
  return [
    ...readFileSync(join(ROOT, page), 'utf8').matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
  ].map(([, block]) => block as string);
}

/** An empty folder inside the workspace, where `npx junctor` is the one of this clone, as a reader's would be. */
export function makeFolder(): Disposable & { readonly path: string } {
  mkdirSync(join(ROOT, '.reports'), { recursive: true });
  const path = mkdtempSync(join(ROOT, '.reports', 'page-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

/** Both streams, as a terminal would mix them. */
export function runCommand(home: Home, folder: string, command: string): string {
  const env = shellEnv(home);
  const { stdout } = spawnSync('sh', ['-c', `exec 2>&1\n${command}`], { cwd: folder, env, encoding: 'utf8' });
  return stdout.trimEnd();
}

/** An environment whose PATH leads to this Node and to the programs of this workspace. */
export function shellEnv(home: Home): Record<string, string> {
  const path = [dirname(process.execPath), join(ROOT, 'node_modules', '.bin'), home.env.PATH].join(':');
  return { ...home.env, PATH: path };
}

/** A page's output as a pattern: `…` stands for anything on its line. */
export function pattern(output: string): RegExp {
  const quoted = output.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*');
  return new RegExp(`^${quoted}$`);
}

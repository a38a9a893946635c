import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A person's house for one test: a home, a project and data of its own; nothing of the real ones is seen. */
export interface Home extends AsyncDisposable {
  readonly path: string;
  /** Where commands are run. */
  readonly project: string;
  readonly data: string;
  readonly userConfig: string;
  readonly env: Record<string, string>;
  /** Writes a file below the house and returns its path. */
  write(name: string, content: string | object): Promise<string>;
}

export async function makeHome(): Promise<Home> {
  const path = await mkdtemp(join(tmpdir(), 'junctor-home-'));
  const project = join(path, 'project');
  await mkdir(project);
  return {
    path,
    project,
    data: join(path, 'data'),
    userConfig: join(path, 'config', 'junctor', 'config.json'),
    env: environment(path),
    async write(name, content) {
      const file = join(path, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
      return file;
    },
    async [Symbol.asyncDispose]() {
      // Again where a program that ends just now put a last file there.
      await rm(path, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function environment(home: string): Record<string, string> {
  const kept = ['PATH', 'LANG', 'TMPDIR', LEAK_MARK].flatMap(name => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'xdg-data'),
    JUNCTOR_DATA: join(home, 'data'),
    // The keyring of whoever runs the tests is not ours to write to.
    JUNCTOR_KEYRING: 'off',
  };
}

/** Marks every process a test file starts. Its prefix makes it pass the list of variables servers may see. */
export const LEAK_MARK = 'LC_JUNCTOR_TEST';

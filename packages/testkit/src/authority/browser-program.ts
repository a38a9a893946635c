/** The browser of the tests as a program of its own: what BROWSER names, for a command that opens pages. */
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from '../harness/home.ts';
import { testkitProgram } from '../harness/root.ts';
import type { Visit, VisitOptions } from './browser.ts';

export interface BrowserProgram {
  /** For the environment of the command. */
  readonly env: { readonly BROWSER: string };
  /** The pages that were opened so far, each with where that ended once it has. */
  opened(): Promise<readonly { readonly url: string; readonly end?: Visit }[]>;
}

/** Writes the program into a house. It behaves as the options say, each time it is started. */
export async function makeBrowserProgram(home: Home, options: VisitOptions = {}): Promise<BrowserProgram> {
  const log = join(home.path, 'opened.jsonl');
  const browser = testkitProgram('authority', 'browser.js');
  const script = await home.write(
    'browser.mjs',
    [
      `import { appendFileSync } from 'node:fs';`,
      `import { Browser } from ${JSON.stringify(browser)};`,
      'const url = process.argv[2];',
      `const note = entry => appendFileSync(${JSON.stringify(log)}, JSON.stringify(entry) + '\\n');`,
      'note({ url });',
      `note({ url, end: await new Browser().visit(url, ${JSON.stringify(options)}) });`,
    ].join('\n'),
  );
  const program = await home.write('browser', `#!/bin/sh\nexec '${process.execPath}' '${script}' "$1"\n`);
  await chmod(program, 0o755);
  return {
    env: { BROWSER: program },
    async opened() {
      const lines = (await readFile(log, 'utf8').catch(() => '')).split('\n').filter(Boolean);
      const entries = lines.map(line => JSON.parse(line) as { url: string; end?: Visit });
      return [...new Map(entries.map(entry => [entry.url, entry])).values()];
    },
  };
}

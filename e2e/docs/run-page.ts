/**
 * Does what a page tells its reader to do, in the order of the page, and compares what comes back with what it shows. With
 * WRITE_PAGES=1 a page that shows something else is changed instead: look at the difference before you keep it.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Home, makeHome, ROOT } from '@junctor/testkit';
import { expect } from 'vitest';
import { startProgram } from './page-programs.ts';

/** A fenced block: ```` ```json junctor.json ```` has a language and the name of the file its reader is to write. */
export interface Block {
  readonly language: string;
  readonly file: string | undefined;
  readonly text: string;
}

/** A command of a `console` block, with the output shown under it. */
export interface Shown {
  readonly command: string;
  readonly output: string;
}

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

export function blocksOf(page: string, ...languages: readonly string[]): Block[] {
  const fences = readPage(page).matchAll(/^```(\S+)(?: (\S+))?\n([\s\S]*?)^```$/gm);
  const blocks = [...fences].map(([, language = '', file, text = '']) => ({ language, file, text }));
  return languages.length === 0 ? blocks : blocks.filter(({ language }) => languages.includes(language));
}

export function commandsOf({ text }: Block): Shown[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map(part => {
      const [command = '', ...lines] = part.trimEnd().split('\n');
      return { command, output: lines.join('\n') };
    });
}

/** What a page cannot name, since it differs from machine to machine. */
export interface World {
  readonly env?: Readonly<Record<string, string>>;
  /** Addresses that the page shows, and what stands in for them here. */
  readonly standIns?: Readonly<Record<string, string>>;
  /** Where it is there, blocks of `sh` are run too: each is a program that stays, and this is told its address. */
  readonly onStarted?: (url: string) => Promise<void>;
}

/** Follows a page from its top in an empty folder: files are written, commands and programs run. Returns what programs print. */
export async function followPage(page: string, prepare?: (home: Home) => Promise<World>): Promise<string> {
  await using home = await makeHome();
  if (page !== 'README.md') await chmod(await home.write('bin/npx', SHORT_NPX), 0o755);
  const world = (await prepare?.(home)) ?? {};
  using folder = makeFolder();
  await using programs = new AsyncDisposableStack();
  let printed = '';
  for (const block of blocksOf(page)) {
    const { language, file, text } = block;
    if (file !== undefined)
      writeFileSync(join(folder.path, file), language === 'ts' ? withStandIns(text, world) : text);
    else if (language === 'console') await followCommands(page, block, { home, folder: folder.path, world });
    else if (language === 'sh' && world.onStarted) {
      const env = { ...shellEnv(home), ...world.env };
      const { url } = programs.use(await startProgram(withStandIns(text, world), folder.path, env));
      await world.onStarted(url);
    } else if (language === 'ts') printed += await runProgram(home, folder.path, text);
  }
  return printed;
}

async function followCommands(
  page: string,
  block: Block,
  { home, folder, world }: { home: Home; folder: string; world: World },
) {
  const standIns = Object.entries(world.standIns ?? {});
  const shown: string[] = [];
  const seen: string[] = [];
  for (const { command, output } of commandsOf(block)) {
    const told = await runCommand(home, folder, withStandIns(command, world), world.env);
    const printed = standIns.reduce((text, [shownAs, here]) => text.replaceAll(here, shownAs), told);
    const ownPaths = printed
      .replaceAll(folder, '…')
      .replaceAll(join(home.path, 'config'), '…')
      .replaceAll(home.path, '…');
    shown.push(asShown(command, output));
    // What fits is taken as the page has it, so that a failure shows the lines that differ and no others.
    seen.push(asShown(command, fits(output, printed) ? output : ownPaths));
  }
  if (process.env.WRITE_PAGES !== '1') return expect(seen.join('')).toBe(shown.join(''));
  writeFileSync(
    join(ROOT, page),
    readPage(page).replace(block.text, () => seen.join('')),
  );
}

function withStandIns(words: string, { standIns = {} }: World): string {
  return Object.entries(standIns).reduce((text, [shownAs, here]) => text.replaceAll(shownAs, here), words);
}

function asShown(command: string, output: string): string {
  return `$ ${command}\n${output === '' ? '' : `${output}\n`}`;
}

/** An empty folder inside the workspace, where `npx junctor` is the one of this clone, as a reader's would be. */
export function makeFolder(): Disposable & { readonly path: string } {
  mkdirSync(join(ROOT, '.reports'), { recursive: true });
  const path = mkdtempSync(join(ROOT, '.reports', 'page-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }) };
}

/** Both streams, as a terminal would mix them. */
async function runCommand(home: Home, folder: string, command: string, env: World['env'] = {}): Promise<string> {
  return (await run(home, folder, ['sh', '-c', `exec 2>&1\n${command}`], env)).stdout.trimEnd();
}

/** A program must end well and have nothing to complain about. */
async function runProgram(home: Home, folder: string, text: string): Promise<string> {
  writeFileSync(join(folder, 'program.ts'), text);
  const { code, stdout, stderr } = await run(home, folder, [process.execPath, 'program.ts']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function run(home: Home, cwd: string, [program = '', ...args]: readonly string[], env: World['env'] = {}) {
  const child = spawn(program, args, { cwd, env: { ...shellEnv(home), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const seen = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', chunk => {
    seen.stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', chunk => {
    seen.stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject));
  return { code, ...seen };
}

/** An environment whose PATH leads to this Node and to the programs of this workspace. */
function shellEnv(home: Home): Record<string, string> {
  const folders = [join(home.path, 'bin'), dirname(process.execPath), join(ROOT, 'node_modules', '.bin')];
  return { ...home.env, PATH: [...folders, home.env.PATH].join(':') };
}

/** npm takes half a second to find what stands in PATH, as it does for README.md. For other pages this starts it at once. */
const SHORT_NPX = `#!/bin/sh
command -v "$1" >/dev/null && exec "$@"
PATH=\${PATH#*:} exec npx "$@"
`;

/** In a page's output `…` stands for anything on its line, and alone on a line for any lines. */
function fits(output: string, printed: string): boolean {
  const quoted = output.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const anything = quoted.replace(/^…$/gm, '[^]*').replaceAll('…', '.*');
  return new RegExp(`^${anything}$`).test(printed);
}

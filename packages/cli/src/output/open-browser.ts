import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Surroundings } from '@junctor/core/light';

/**
 * Opens a page in the person's browser. No shell is in between: the address comes from a server and may hold anything.
 * Resolves once the program runs; `onFailure` tells what went wrong, then or later.
 */
export async function openBrowser(
  url: URL,
  surroundings: Surroundings,
  onFailure: (why: string) => void,
): Promise<void> {
  const [program, ...args] = browserCommand(url, surroundings);
  const child = spawn(program, args, {
    cwd: surroundings.home,
    env: surroundings.env as NodeJS.ProcessEnv,
    stdio: 'ignore',
    // It outlives this command, and is not ours to end.
    detached: true,
  });
  child.unref();
  await new Promise<void>(resolve => {
    child.once('spawn', () => resolve());
    child.once('error', error => {
      onFailure(`${program}: ${error.message}`);
      resolve();
    });
    child.once('exit', code => {
      if (code) onFailure(`${program} ended with code ${code}`);
    });
  });
}

export function browserCommand(url: URL, { env, platform }: Surroundings): [string, ...string[]] {
  if (env.BROWSER) return named(env.BROWSER, url, platform);
  if (platform === 'darwin') return ['open', url.href];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url.href];
  return ['xdg-open', url.href];
}

/** As other programs read it: alternatives apart by colons, each with arguments, `%s` where the address goes. */
function named(browser: string, url: URL, platform: NodeJS.Platform): [string, ...string[]] {
  if (existsSync(browser)) return [browser, url.href];
  const first = platform === 'win32' ? browser : (browser.split(':').find(Boolean) ?? browser);
  const [program = first, ...args] = first.split(/\s+/).filter(Boolean);
  const placed = args.map(word => word.replaceAll('%s', url.href));
  return [program, ...(args.some(word => word.includes('%s')) ? placed : [...args, url.href])];
}

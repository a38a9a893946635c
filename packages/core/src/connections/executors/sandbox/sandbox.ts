/**
 * The executor `sandbox`: a server on this machine that reads the system, writes its own folder, and reaches nobody. On Linux
 * by bubblewrap; on macOS by sandbox-exec, as far as that goes. Where neither is there, nothing is started.
 */
import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { SandboxSettings } from '../../../config/schema/site-schema.ts';
import type { SandboxSite } from '../../../resolve/site.ts';
import { cannotStart } from '../../process/cannot-start.ts';
import { type Environment, environmentFor } from '../../process/environment.ts';
import { findCommand, type Program } from '../../process/find-command.ts';
import { FIRST_INPUT } from '../../process/launch.ts';
import { actsHere } from '../acts-here.ts';
import { type Diagnosis, type Executor, type StartThere, unavailable } from '../executor.ts';
import { bubblewrapArgs, bubblewrapComplaint, type Confined } from './bubblewrap.ts';
import { privateCache } from './private-cache.ts';
import { leadingOut, real } from './real-folders.ts';
import { type Folder, inOrder, isInside, isShown, sandboxView } from './sandbox-view.ts';
import { seatbeltProfile } from './seatbelt.ts';
import { seccompFilter } from './seccomp.ts';

/** A server with more at a time is more likely to run away than to work. */
const USUAL_PIDS = 1024;

/** Sets limits that hold for a program and all it starts. It is a part of every usual Linux. */
const LIMITER = '/usr/bin/prlimit';

export function sandbox(site: SandboxSite): Executor {
  const { settings, executor } = site;
  const { network = false, pids = USUAL_PIDS } = settings;
  const unfiltered = settings.seccomp === 'unconfined';
  return {
    async place({ server, program, environment, port, secluded }: StartThere) {
      if (port !== undefined && !network) throw unavailable(site, server, UNREACHABLE);
      const asked = resolve(program.cwd ?? '.');
      const cwd = real(asked);
      const home = real(environment.HOME ?? homedir());
      const whole = sandboxView(settings, { cwd, home, secluded: secluded.map(real) }, process.platform);
      // What is not there needs no hiding; what is named and is not there is missed by the program that makes the sandbox.
      const there = whole.filter(({ path, as, isSystem }) => (as !== 'hidden' && !isSystem) || existsSync(path));
      const view = there.map(hiddenForReal);
      const shown = view.filter(({ as, isSystem }) => as !== 'hidden' && !isSystem).map(({ path }) => path);
      const astray = leadingOut([asked, ...shown], view);
      if (astray !== undefined) throw unavailable(site, server, linkedAway(astray));
      const found = await findCommand(program, environmentFor(environment, program.env));
      if (found.kind !== 'found') throw cannotStart(server, program, found);
      const hidden = [found.file, real(found.file)].find(file => !isShown(file, view));
      if (hidden !== undefined) throw unavailable(site, server, notShown(hidden));
      const { inside, env } = variablesOf(program.env);
      const cache = keepsCache(settings, home, view) ? privateCache(home, { server, executor, cwd }) : undefined;
      const folders = cache ? inOrder([...view, cache.folder]) : view;
      const own = Object.entries(cache?.variables ?? {}).filter(([name]) => program.env[name] === undefined);
      const filter = process.platform === 'linux' && !unfiltered ? seccompFilter(process.arch) : undefined;
      const confined = {
        ...{ file: found.file, args: program.args, cwd, network, pids },
        inside: { ...Object.fromEntries(own), ...inside },
        filter: filter && FIRST_INPUT,
        limiter: existsSync(LIMITER) ? LIMITER : undefined,
      };
      const tool = toolFor(confined, folders);
      if (!tool) throw unavailable(site, server, NO_SANDBOX);
      const started = { ...program, ...tool, env, command: await ownProgram(tool.command, environment) };
      return { program: started, ...(filter ? { inputs: [filter] } : {}) };
    },
    diagnose: ({ words }) => bubblewrapComplaint(words),
  };
}

/** Without the network there is nothing to fetch. A folder of that name which is shown already is the one that counts. */
function keepsCache({ network = false, cache = network }: SandboxSettings, home: string, view: readonly Folder[]) {
  if (!cache || process.platform !== 'linux' || !existsSync(home)) return false;
  return !view.some(({ path, as }) => as !== 'hidden' && isInside(join(home, '.cache'), path));
}

const UNREACHABLE: Diagnosis = {
  why: 'it is reached at an address, and servers in this sandbox have no network that anybody could reach them on',
  hint: 'set network: true in the sandbox settings of this executor, or run the server over stdio',
};

const NO_SANDBOX: Diagnosis = {
  why: `Junctor knows no sandbox on ${process.platform}`,
  hint: 'use it on Linux or macOS, or choose another executor',
};

function notShown(file: string): Diagnosis {
  return {
    why: `its program is ${file}, which servers in this sandbox cannot see`,
    hint: `add ${dirname(file)} to readable in the sandbox settings of this executor`,
  };
}

function linkedAway(path: string): Diagnosis {
  return {
    why: `${path} is a link out of a folder that servers in this sandbox may write: one of them may have made it`,
    hint: `if it is yours, name ${real(path)} itself; else remove the link`,
  };
}

/** What acts on programs that are being loaded must not act on the one that makes the sandbox, which is outside of it. */
function variablesOf(all: Program['env']): { inside: Record<string, string>; env: Record<string, string> } {
  const named = Object.entries(all);
  return {
    inside: Object.fromEntries(named.filter(([name]) => actsHere(name))),
    env: Object.fromEntries(named.filter(([name]) => !actsHere(name))),
  };
}

function hiddenForReal(folder: Folder): Folder {
  return folder.as === 'hidden' ? { ...folder, path: real(folder.path) } : folder;
}

function toolFor(confined: Confined, view: readonly Folder[]): { command: string; args: string[] } | undefined {
  if (process.platform === 'linux') return { command: 'bwrap', args: bubblewrapArgs(confined, view) };
  if (process.platform !== 'darwin') return undefined;
  const profile = seatbeltProfile(view, { network: confined.network, temporary: real(tmpdir()) });
  const variables = Object.entries(confined.inside).map(([name, value]) => `${name}=${value}`);
  const args = ['-p', profile, '/usr/bin/env', ...variables, confined.file, ...confined.args];
  return { command: 'sandbox-exec', args };
}

/** Found as we find programs: the PATH of the server must not lead to another one of that name. */
async function ownProgram(command: string, environment: Environment): Promise<string> {
  const found = await findCommand({ command, cwd: '/' }, environmentFor(environment, {}));
  return found.kind === 'found' ? found.file : command;
}

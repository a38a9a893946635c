/**
 * Servers in containers, by the docker program. With an image each start gets a container of its own, which is removed
 * afterwards; with a container it becomes one more process inside, which is found again by its mark and ended.
 */
import type { DockerSettings } from '../../config/site-schema.ts';
import type { Program } from '../process/find-command.ts';
import { newLaunchMark } from '../process/launch-mark.ts';
import { LAUNCH_VARIABLE } from '../process/process-table.ts';
import { dockerDiagnosis } from './docker-diagnosis.ts';
import { endMarked } from './end-marked.ts';
import type { Executor, StartHere, StartThere } from './executor.ts';
import { passedOn } from './passed-on.ts';

/** Variables that say where the daemon is, and how to get there. */
const OWN_VARIABLES = [
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'DOCKER_TLS_VERIFY',
  'DOCKER_CERT_PATH',
  'DOCKER_API_VERSION',
  'SSH_AUTH_SOCK',
];

/** Of these the docker program itself would take the server's for its own: they go as words, and none holds a secret. */
const NOT_BY_NAME = new Set([...OWN_VARIABLES, 'PATH', 'HOME', 'TMPDIR']);

export function docker(settings: DockerSettings): Executor {
  return { place: what => place(settings, what), diagnose: ended => dockerDiagnosis(settings, ended) };
}

function place(settings: DockerSettings, what: StartThere): StartHere {
  const { server, program, environment, port } = what;
  const own = passedOn(environment, OWN_VARIABLES);
  const mark = newLaunchMark();
  const [env, variables] = variablesFor(program.env, mark);
  const docker = (...args: readonly string[]): Program => ({
    command: 'docker',
    args: [...daemon(settings), ...args],
    cwd: undefined,
    env: own,
  });
  const inside = [...flag('--user', settings.user), ...flag('--workdir', settings.cwd), ...variables];
  const command = [program.command, ...program.args];
  if (settings.container !== undefined) {
    return {
      program: { ...docker('exec', '-i', ...inside, settings.container, ...command), env: { ...own, ...env } },
      undo: docker('exec', ...flag('--user', settings.user), settings.container, ...endMarked(mark)),
    };
  }
  const name = `junctor-${server}-${mark.slice(-8)}`;
  const labels = [`junctor.server=${server}`, `junctor.launch=${mark}`].flatMap(label => ['--label', label]);
  const { network, volumes = [], image = '', publish = '127.0.0.1' } = settings;
  const outside = [...flag('--network', network), ...volumes.flatMap(volume => ['--volume', volume])];
  const published = port === undefined || network === 'host' ? [] : ['--publish', `${publish}:${port}:${port}`];
  const run = ['run', '-i', '--rm', '--name', name, ...labels, ...outside, ...published];
  return {
    program: { ...docker(...run, ...inside, image, ...command), env: { ...own, ...env } },
    address: port === undefined ? undefined : `${publish}:${port}`,
    undo: docker('rm', '--force', name),
  };
}

function daemon({ host, context }: DockerSettings): string[] {
  return host === undefined ? flag('--context', context) : ['--host', host];
}

function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}

/** What the docker program gets in its environment, and the words that make it pass that on. */
function variablesFor(env: Program['env'], mark: string): [Record<string, string>, string[]] {
  const named = Object.entries({ ...env, [LAUNCH_VARIABLE]: mark });
  const asWord = (name: string): boolean => NOT_BY_NAME.has(name) || name === LAUNCH_VARIABLE;
  return [
    Object.fromEntries(named.filter(([name]) => !asWord(name))),
    named.flatMap(([name, value]) => ['--env', asWord(name) ? `${name}=${value}` : name]),
  ];
}

/**
 * Servers in containers, by the docker program. With an image each start gets a container of its own, which is removed
 * afterwards; with a container it becomes one more process inside, which is found again by its mark and ended.
 */
import type { DockerSettings } from '../../../config/schema/site-schema.ts';
import { confinementOf } from '../../../resolve/confinement.ts';
import type { DockerPlace } from '../../../resolve/site.ts';
import type { Environment } from '../../process/environment.ts';
import { newLaunchMark } from '../../process/launch-mark.ts';
import { LAUNCH_VARIABLE } from '../../process/process-table.ts';
import { endMarked } from '../end-marked.ts';
import { type Executor, type StartHere, type StartThere, unavailable } from '../executor.ts';
import { dockerDiagnosis } from './docker-diagnosis.ts';
import { labelsOf, removeAbandoned } from './docker-labels.ts';
import { dockerFor, flag, passVariables } from './docker-program.ts';

export function docker(site: DockerPlace): Executor {
  const { settings } = site;
  return {
    place(what) {
      const lacking = whatIsLacking(site, what);
      if (lacking) throw unavailable(site, what.server, lacking);
      return settings.container === undefined ? inOneOfItsOwn(settings, what) : insideAnother(settings, what);
    },
    diagnose: ended => dockerDiagnosis(settings, ended),
    sweep: (environment, signal) => removeAbandoned(dockerFor(settings, environment), { environment, signal }),
  };
}

function insideAnother(settings: DockerSettings, { program, environment }: StartThere): StartHere {
  const { container = '', user, cwd } = settings;
  const docker = dockerFor(settings, environment);
  const mark = newLaunchMark();
  const variables = passVariables({ ...program.env, [LAUNCH_VARIABLE]: mark });
  const inside = [...flag('--user', user), ...flag('--workdir', cwd), ...variables.words, container];
  const client = docker('exec', '-i', ...inside, program.command, ...program.args);
  return {
    program: { ...client, env: { ...client.env, ...variables.env } },
    undo: docker('exec', ...flag('--user', user), container, ...endMarked(mark)),
  };
}

function inOneOfItsOwn(settings: DockerSettings, { server, program, environment, port }: StartThere): StartHere {
  const { image = '', user, cwd, network, volumes = [], publish = LOOPBACK } = settings;
  const docker = dockerFor(settings, environment);
  const mark = newLaunchMark();
  const name = `junctor-${server}-${mark.slice(-8)}`;
  const variables = passVariables({ ...program.env, [LAUNCH_VARIABLE]: mark });
  const published = port === undefined || network === 'host' ? [] : ['--publish', `${publish}:${port}:${port}`];
  const client = docker(
    ...['run', '-i', '--rm', '--name', name, ...labelsOf(server, mark).flatMap(label => ['--label', label])],
    ...[...flag('--network', network), ...volumes.flatMap(volume => ['--volume', volume]), ...published],
    ...confinementFlags(settings),
    ...[...flag('--user', user), ...flag('--workdir', cwd), ...variables.words, image],
    ...[program.command, ...program.args],
  );
  return {
    program: { ...client, env: { ...client.env, ...variables.env } },
    address: port === undefined ? undefined : `${publish}:${port}`,
    undo: docker('rm', '--force', name),
  };
}

/** The runtime's own filter of system calls counts unless another one is named. */
function confinementFlags(settings: DockerSettings): string[] {
  const { memoryMb, cpus, pids, ...held } = confinementOf(settings);
  const limit = (name: string, value: number, unit = ''): string[] => (value === 0 ? [] : [name, `${value}${unit}`]);
  return [
    ...['--cap-drop', 'ALL', ...held.capabilities.flatMap(name => ['--cap-add', name])],
    ...(held.newPrivileges ? [] : ['--security-opt', 'no-new-privileges']),
    ...(held.isUnfiltered ? ['--security-opt', 'seccomp=unconfined'] : []),
    ...[...limit('--memory', memoryMb, 'm'), ...limit('--cpus', cpus), ...limit('--pids-limit', pids)],
    ...(held.readOnly ? ['--read-only', '--tmpfs', '/tmp'] : []),
  ];
}

const LOOPBACK = '127.0.0.1';

function whatIsLacking({ executor, settings }: DockerPlace, { port, environment }: StartThere) {
  const { container, publish, network } = settings;
  if (port === undefined) return undefined;
  if (container !== undefined) {
    const why = 'it is reached at an address, and a process in a container of others has none of its own';
    return { why, hint: 'name an image in place of the container, or run the server over stdio' };
  }
  if (isElsewhere(settings, environment) && publish === undefined && network !== 'host') {
    const why = 'its port would be published on the machine with the daemon, and nobody said at which address of it';
    return { why, hint: `set docker.publish of executor '${executor}' to an address of that machine` };
  }
  return undefined;
}

function isElsewhere({ host, context }: DockerSettings, { DOCKER_HOST = '' }: Environment): boolean {
  const daemon = host ?? (context === undefined ? DOCKER_HOST : '');
  return daemon !== '' && !/^(unix|npipe|fd):/.test(daemon);
}

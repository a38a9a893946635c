/** What is wrong when the docker program ends before the server inside has answered. */
import type { DockerSettings } from '../../../config/schema/site-schema.ts';
import type { Diagnosis, Ended } from '../executor.ts';
import { type KnownFailure, knownFailure } from '../known-failures.ts';
import { SSH_FAILURES } from '../ssh/ssh-diagnosis.ts';

/** Docker's own failures, and programs that it could not run. */
const COULD_NOT_RUN = new Set([125, 126, 127]);

export function dockerDiagnosis(settings: DockerSettings, { code, words }: Ended): Diagnosis | undefined {
  const found = knownFailure(words, [...failuresOf(settings), ...SSH_FAILURES]);
  if (found) return found;
  if (code === null || !COULD_NOT_RUN.has(code)) return undefined;
  return {
    why: `docker could not run it; it said:\n${words}`,
    hint: 'run the same by hand: docker run -i --rm IMAGE COMMAND',
  };
}

function failuresOf({ host, container, image }: DockerSettings): KnownFailure[] {
  const daemon = host === undefined ? 'start Docker on this machine, or set host' : `check that Docker runs at ${host}`;
  return [
    {
      says: /permission denied while trying to connect|dial unix .* permission denied/i,
      means: 'you may not use the Docker daemon',
      hint: 'add yourself to the group docker, or run Junctor as a user who is in it',
    },
    {
      says: /no such container/i,
      means: `there is no container '${container}'`,
      hint: 'docker ps names those that run',
    },
    {
      says: /container .* is not running|is paused/i,
      means: `container '${container}' does not run`,
      hint: `docker start ${container}`,
    },
    {
      says: /unable to find image|no such image|pull access denied|manifest unknown/i,
      means: `the image '${image}' is not there, and cannot be fetched`,
      hint: `docker pull ${image}, or build it under this name`,
    },
    {
      says: /executable file not found|stat .*no such file or directory|exec format error/i,
      means: 'its command is not inside the container',
      hint: 'name a command that the image has, or add it to the image',
    },
    {
      says: /port publishing and the container type network mode/i,
      means: 'a server behind a URL needs a port, and a container in the network of another has none of its own',
      hint: 'leave network out for this executor, or use a stdio server',
    },
    {
      says: /NanoCPUs can not be set|range of CPUs is from/i,
      means: 'this Docker cannot limit the processors of a container as it is set',
      hint: 'set docker.cpus of this executor to fewer, or to 0 for no limit',
    },
    {
      says: /cannot connect to the docker daemon|error during connect|connection refused|context deadline exceeded/i,
      means: 'the Docker daemon cannot be reached',
      hint: daemon,
    },
    {
      says: /context .* (not found|does not exist)/i,
      means: 'docker does not know this context',
      hint: 'docker context ls',
    },
  ];
}

/** The docker program as it is started: for which daemon, and with which variables. */
import type { DockerSettings } from '../../../config/schema/site-schema.ts';
import type { Environment } from '../../process/environment.ts';
import type { Program } from '../../process/find-command.ts';
import { LAUNCH_VARIABLE } from '../../process/process-table.ts';
import { actsHere } from '../acts-here.ts';
import { passedOn } from '../passed-on.ts';

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
const NOT_BY_NAME = new Set([
  ...[...OWN_VARIABLES, 'PATH', 'HOME', 'TMPDIR', LAUNCH_VARIABLE],
  // The ssh that it starts for a daemon elsewhere would run what they name.
  ...['SSH_ASKPASS', 'SSH_ASKPASS_REQUIRE', 'DISPLAY'],
]);

export function dockerFor(settings: DockerSettings, environment: Environment): (...words: string[]) => Program {
  const { host, context } = settings;
  const daemon = host === undefined ? flag('--context', context) : ['--host', host];
  const env = passedOn(environment, OWN_VARIABLES);
  return (...words) => ({ command: 'docker', args: [...daemon, ...words], cwd: undefined, env });
}

export function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}

/** The words that make docker pass variables on, and those that it has to have in its own environment for that. */
export function passVariables(env: Program['env']): { readonly words: string[]; readonly env: Record<string, string> } {
  const named = Object.entries(env);
  const asWord = (name: string): boolean => NOT_BY_NAME.has(name) || actsHere(name);
  return {
    words: named.flatMap(([name, value]) => ['--env', asWord(name) ? `${name}=${value}` : name]),
    env: Object.fromEntries(named.filter(([name]) => !asWord(name))),
  };
}

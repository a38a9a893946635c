/**
 * Servers on another machine, by the ssh program. One line on its stdin says over there what to run and with which variables;
 * after it the pipes are the server's. A watcher over there ends it with all it started as soon as the connection is gone.
 */
import type { SshSettings } from '../../../config/schema/site-schema.ts';
import { newLaunchMark } from '../../process/launch-mark.ts';
import { freePort } from '../../process/port.ts';
import { LAUNCH_VARIABLE } from '../../process/process-table.ts';
import type { Executor, StartHere, StartThere } from '../executor.ts';
import { passedOn } from '../passed-on.ts';
import { READ_AND_RUN, startLine } from '../start-line.ts';
import { sshDiagnosis } from './ssh-diagnosis.ts';

const OWN_VARIABLES = ['SSH_AUTH_SOCK'];

/** Whatever shell the user has there: this one reads the line. */
const ANY_SHELL = `exec sh -c '${READ_AND_RUN}'`;

const ALWAYS = [
  // Nobody is there to answer a question.
  'BatchMode=yes',
  // A connection of its own: when it is gone, so is what was started over it.
  'ControlPath=none',
  'RemoteCommand=none',
  // A server gets neither your keys nor your screen for it.
  'ForwardAgent=no',
  'ForwardX11=no',
  'ServerAliveInterval=15',
  'ExitOnForwardFailure=yes',
  'LogLevel=ERROR',
];

export function ssh(settings: SshSettings): Executor {
  return { place: what => place(settings, what), diagnose: ended => sshDiagnosis(settings, ended) };
}

async function place(settings: SshSettings, what: StartThere): Promise<StartHere> {
  const { server, program, port, environment, connectMs } = what;
  const { host, user, port: at, identity_file: key, config_file: config, options = [], cwd } = settings;
  const address = port === undefined ? undefined : `127.0.0.1:${await freePort()}`;
  const marked = { ...program, env: { ...program.env, [LAUNCH_VARIABLE]: newLaunchMark() } };
  const seconds = Math.max(1, Math.ceil(connectMs / 1000));
  return {
    program: {
      command: 'ssh',
      args: [
        '-T',
        ...(config === undefined ? [] : ['-F', config]),
        ...(key === undefined ? [] : ['-i', key, '-o', 'IdentitiesOnly=yes']),
        ...(user === undefined ? [] : ['-l', user]),
        ...(at === undefined ? [] : ['-p', String(at)]),
        // Of two that say the same the first counts.
        ...[...options, ...ALWAYS, `ConnectTimeout=${seconds}`].flatMap(option => ['-o', option]),
        // Ports that your ssh config forwards are taken by whoever comes first: the next one would fail.
        ...(address === undefined ? ['-o', 'ClearAllForwardings=yes'] : ['-L', `${address}:127.0.0.1:${port}`]),
        '--',
        host,
        ANY_SHELL,
      ],
      cwd: undefined,
      env: passedOn(environment, OWN_VARIABLES),
    },
    opening: `${startLine(server, marked, { cwd, watched: true })}\n`,
    address,
  };
}

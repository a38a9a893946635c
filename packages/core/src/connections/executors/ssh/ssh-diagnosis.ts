/** What is wrong when the ssh program ends before the server over there has answered. */
import type { SshSettings } from '../../../config/schema/site-schema.ts';
import type { Diagnosis, Ended } from '../executor.ts';
import { type KnownFailure, knownFailure } from '../known-failures.ts';
import { EXIT } from '../start-line.ts';

export const SSH_FAILURES: readonly KnownFailure[] = [
  {
    says: /host key verification failed|remote host identification has changed/i,
    means: 'the key of the other machine is not known here, or is another one than before',
    hint: 'check it, and sign in once by hand with ssh so that it is remembered',
  },
  {
    says: /permission denied \(|too many authentication failures/i,
    means: 'the other machine does not let you in with the keys that were tried',
    hint: 'ssh-copy-id puts your key there; identity_file names another one; nobody is asked for a password',
  },
  {
    says: /could not resolve hostname/i,
    means: 'there is no machine of this name',
    hint: 'mend host of this executor, or add it to your ssh config',
  },
  {
    says: /connection refused|connection timed out|operation timed out|no route to host|network is unreachable|banner exchange|connection (closed|reset) by/i,
    means: 'the other machine does not answer',
    hint: 'check that it is on and that its SSH port is open',
  },
  {
    says: /unprotected private key|identity file .* not accessible|bad configuration option|bad owner or permissions/i,
    means: 'ssh does not accept its own files here',
    hint: 'mend the file that it names',
  },
];

/** How ssh itself fails; any other code is that of the program over there. */
const SSH_FAILED = 255;

export function sshDiagnosis({ host, cwd }: SshSettings, { code, words }: Ended): Diagnosis | undefined {
  if (code === SSH_FAILED) {
    const unknown = {
      why: `ssh could not do it; it said:\n${words}`,
      hint: `ssh ${host} by hand, to see what is wrong`,
    };
    return knownFailure(words, SSH_FAILURES) ?? unknown;
  }
  if (code === EXIT.noFolder) return { why: `there is no folder ${cwd} on ${host}`, hint: 'mend cwd of this executor' };
  if (!EXIT.couldNotRun.some(one => one === code)) return undefined;
  return {
    why: `${host} cannot run its command; it said:\n${words}`,
    hint: 'install it there, or give its full path: PATH is short for commands over ssh',
  };
}

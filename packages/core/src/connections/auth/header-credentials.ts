/** A server whose Authorization header the config writes: it is sent as it stands, and nothing signs in over it. */
import { JunctorError } from '../../base/error.ts';
import type { Challenge, Credentials } from './credentials.ts';
import { signInStep } from './failures.ts';

export function hasOwnAuthorization(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some(name => name.toLowerCase() === 'authorization');
}

export class HeaderCredentials implements Credentials {
  readonly #server: string;

  constructor(server: string) {
    this.#server = server;
  }

  /** It is among the headers of the config already. */
  authorization(): undefined {
    return undefined;
  }

  async challenged({ status }: Challenge): Promise<boolean> {
    if (status === 403) return false;
    throw refused(this.#server);
  }

  /** Another header means another definition, and new credentials. */
  async renewed(): Promise<boolean> {
    return false;
  }
}

function refused(server: string): JunctorError {
  const either = 'put a token that is still good there, or remove it and';
  const { hint, command } = signInStep(server);
  return new JunctorError('auth_required', `Server '${server}' refused its Authorization header.`, {
    server,
    why: 'HTTP 401 on what headers.Authorization or bearer_token_env_var say',
    hint: `${either} ${hint}`,
    command: `${either} sign in: ${command}`,
  });
}

/** Sends what needs credentials, and sends it again with others when a server refuses the first. */

import { isJunctorError, type JunctorError } from '../../base/error.ts';
import { orAborted } from '../../base/time/deadline.ts';
import type { Challenge, Credentials } from '../auth/credentials.ts';
import type { ChannelListener } from '../rpc/channel.ts';
import { HttpStatus } from './http/http-target.ts';
import type { RemoteContext } from './remote-context.ts';

/** Told of a refusal, it may have other credentials to try; if not, it calls what it is given. */
export type OnRefused = (status: HttpStatus, refuse: () => void) => void;

/** Posts one message with these credentials. */
type Post = (authorization: string | undefined, onRefused: OnRefused) => void;

interface Sending {
  readonly id: number | undefined;
  readonly post: Post;
}

export class SignedSender {
  readonly #credentials: Credentials;
  readonly #listener: () => ChannelListener | undefined;
  #closed = false;

  constructor(credentials: Credentials, listener: () => ChannelListener | undefined) {
    this.#credentials = credentials;
    this.#listener = listener;
  }

  /** At once, where nothing has to be waited for. */
  send(id: number | undefined, post: Post): void {
    this.#send({ id, post }, 0);
  }

  /** What still waits for credentials is not sent any more. */
  close(): void {
    this.#closed = true;
  }

  #send(sending: Sending, attempt: number): void {
    const authorization = this.#credentials.authorization();
    if (!(authorization instanceof Promise)) return this.#post(sending, authorization, attempt);
    this.#hold(sending);
    authorization.then(
      value => this.#release(sending, () => this.#post(sending, value, attempt)),
      error => this.#fail(sending, error, isJunctorError(error, 'auth_required')),
    );
  }

  #post(sending: Sending, authorization: string | undefined, attempt: number): void {
    sending.post(authorization, (status, refuse) => {
      const challenge = status.asChallenge(authorization, attempt);
      if (challenge) this.#sendAgain(sending, challenge, refuse);
      else refuse();
    });
  }

  #sendAgain(sending: Sending, challenge: Challenge, refuse: () => void): void {
    this.#hold(sending);
    this.#credentials.challenged(challenge).then(
      again => this.#release(sending, again ? () => this.#send(sending, challenge.attempt + 1) : refuse),
      // More scope is wanted for this one message: then the others go on.
      error => this.#fail(sending, error, challenge.status === 401 && isJunctorError(error, 'auth_required')),
    );
  }

  #hold({ id }: Sending): void {
    if (id !== undefined) this.#listener()?.onHeld(id);
  }

  #release({ id }: Sending, goOn: () => void): void {
    const wanted = !this.#closed && (id === undefined || this.#listener()?.awaits(id));
    if (!wanted) return;
    if (id !== undefined) this.#listener()?.onSent(id);
    goOn();
  }

  /** `parked`: nothing else can be sent either before somebody has signed in. */
  #fail({ id }: Sending, error: JunctorError, parked: boolean): void {
    if (parked) this.#listener()?.onRetired(error);
    if (id !== undefined) this.#listener()?.onRefused(id, error);
  }
}

/** Opens something that stays open, and opens it again with other credentials as long as there are any to try. */
export async function openSigned<T>(
  { credentials, signal }: Pick<RemoteContext, 'credentials' | 'signal'>,
  open: (authorization: string | undefined) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    // A person may take minutes to sign in; whoever gives the opening up does not wait for that.
    const authorization = await orAborted(Promise.resolve(credentials?.authorization()), signal);
    try {
      return await open(authorization);
    } catch (error) {
      const refusal = error instanceof Error && error.cause instanceof HttpStatus ? error.cause : undefined;
      const challenge = refusal?.asChallenge(authorization, attempt);
      if (!credentials || !challenge || !(await orAborted(credentials.challenged(challenge), signal))) throw error;
    }
  }
}

/** Headers with the credentials among them. */
export function signed<Headers extends Readonly<Record<string, string>> | undefined>(
  headers: Headers,
  authorization: string | undefined,
): Headers | (Headers & { readonly authorization: string }) {
  return authorization === undefined ? headers : { ...headers, authorization };
}

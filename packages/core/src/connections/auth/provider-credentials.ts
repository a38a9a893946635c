/** Credentials of an embedding program: it has the tokens, and it is asked for them. */
import { JunctorError } from '../../base/error.ts';
import { readChallenge } from './challenge.ts';
import type { Challenge, Credentials } from './credentials.ts';

/** What an embedding program passes in `authProvidersById`. */
export interface AuthProvider {
  /** The access token as it is now; undefined while there is none. */
  token(): string | undefined | Promise<string | undefined>;
  /** Told that the server refused the token. When it returns, the token is asked for again and the request sent again. */
  onUnauthorized?(context: UnauthorizedContext): void | Promise<void>;
}

/** A provider of the MCP SDK or the AI SDK (`OAuthClientProvider`): its tokens are used as they are. Its owner renews them. */
export interface TokensProvider {
  /** The tokens as they are now; undefined while nobody is signed in. */
  tokens(): OwnTokens | undefined | Promise<OwnTokens | undefined>;
}

/** What is read of the tokens of such a provider. */
export interface OwnTokens {
  /** Goes to the server as it is. */
  readonly access_token: string;
}

/** Which server refused a token, and what it wants. */
export interface UnauthorizedContext {
  /** Its id in the config. */
  readonly server: string;
  /** Where it is. */
  readonly url: string;
  /** 401: the token is not good. 403: it is not enough. */
  readonly status: 401 | 403;
  /** What the server wants, where it says so. */
  readonly scope?: string;
  /** Where the server says who guards it (RFC 9728). */
  readonly resourceMetadata?: string;
}

export interface ProviderCredentialsOptions {
  readonly server: string;
  readonly url: string;
  /** The id it was passed in with. */
  readonly id: string;
  readonly provider: AuthProvider | TokensProvider;
  /** Told every token, so that none is ever shown. */
  readonly learn: (secret: string) => void;
}

export class ProviderCredentials implements Credentials {
  readonly #options: Omit<ProviderCredentialsOptions, 'provider'> & { readonly provider: AuthProvider };
  #refused: string | undefined;
  /** One question for all requests that were refused at the same time. */
  #asking: Promise<void> | undefined;
  #last: string | undefined;

  constructor(options: ProviderCredentialsOptions) {
    this.#options = { ...options, provider: withToken(options.provider) };
  }

  authorization(): string | undefined | Promise<string | undefined> {
    try {
      const token = this.#options.provider.token();
      return token instanceof Promise ? token.then(this.#asBearer, this.#fail) : this.#asBearer(token);
    } catch (error) {
      return Promise.reject(error).catch(this.#fail);
    }
  }

  async challenged({ status, wwwAuthenticate, sent, attempt }: Challenge): Promise<boolean> {
    const { server, url, provider } = this.#options;
    const { error, scope, resourceMetadata } = readChallenge(wwwAuthenticate);
    if (status === 403 && error !== 'insufficient_scope') return false;
    if (attempt === 0) {
      if ((await this.authorization()) !== sent) return true;
      if (provider.onUnauthorized) {
        const context = {
          server,
          url,
          status,
          ...(scope ? { scope } : {}),
          ...(resourceMetadata ? { resourceMetadata } : {}),
        };
        this.#asking ??= Promise.resolve(context)
          .then(given => provider.onUnauthorized?.(given))
          .catch(this.#fail)
          .finally(() => {
            this.#asking = undefined;
          });
        await this.#asking;
        return true;
      }
    }
    throw this.#park(sent, status, scope);
  }

  async renewed(): Promise<boolean> {
    return (await this.authorization()) !== this.#refused;
  }

  #park(sent: string | undefined, status: 401 | 403, scope: string | undefined): JunctorError {
    const { server, id } = this.#options;
    this.#refused = sent;
    const wants = scope ? `, it wants the scope ${scope}` : '';
    return new JunctorError('auth_required', `Server '${server}' refused the token of auth provider '${id}'.`, {
      server,
      why: sent === undefined ? `HTTP ${status}; the provider has no token${wants}` : `HTTP ${status}${wants}`,
      hint: `sign in with the program that provides '${id}'`,
    });
  }

  readonly #asBearer = (token: string | undefined): string | undefined => {
    if (token && token !== this.#last) this.#options.learn(token);
    this.#last = token;
    return token ? `Bearer ${token}` : undefined;
  };

  readonly #fail = (error: unknown): never => {
    const { server, id } = this.#options;
    throw new JunctorError('sign_in_failed', `The auth provider '${id}' of server '${server}' failed.`, {
      server,
      why: error instanceof Error ? error.message : String(error),
      hint: 'see the program that passes it in',
      cause: error,
    });
  };
}

/** Both kinds of provider as one. */
function withToken(provider: AuthProvider | TokensProvider): AuthProvider {
  if (typeof (provider as AuthProvider).token === 'function') return provider as AuthProvider;
  const { tokens } = provider as TokensProvider;
  if (typeof tokens === 'function')
    return { token: async () => (await (provider as TokensProvider).tokens())?.access_token };
  return {
    token() {
      throw new Error(
        'it has neither token(), which gives the access token, nor tokens(), as an OAuthClientProvider has',
      );
    },
  };
}

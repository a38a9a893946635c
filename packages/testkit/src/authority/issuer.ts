/** One authorization server on the wire: the provider, the pages for a person, and the address it is found at. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { interact } from './interaction.ts';
import type { Journal } from './journal.ts';
import type { KnownClients } from './known-clients.ts';
import { misconduct } from './misconduct.ts';
import { type AuthorityBehaviour, type CompleteOptions, READ_SCOPE } from './options.ts';
import { makeProvider } from './provider.ts';
import { Store } from './store.ts';

export interface IssuerParts {
  readonly options: CompleteOptions;
  readonly behaviour: AuthorityBehaviour;
  readonly clients: KnownClients;
  readonly journal: Journal;
}

export interface TokenFacts {
  readonly audience: readonly string[];
  readonly scopes: ReadonlySet<string>;
}

export class Issuer {
  readonly url: string;
  readonly store: Store = new Store();
  readonly #provider: Provider;
  readonly #journal: Journal;
  readonly #behaviour: AuthorityBehaviour;

  /** `origin` is where requests arrive; `resource` is the server whose tokens it issues. */
  constructor(origin: string, resource: string, parts: IssuerParts) {
    this.url = `${origin}${parts.options.issuerPath ?? ''}`;
    this.#journal = parts.journal;
    this.#behaviour = parts.behaviour;
    this.#provider = makeProvider({ ...parts, issuer: this.url, resource, store: this.store });
    parts.journal.follow(this.#provider);
    misconduct(this.#provider, parts.options, parts.behaviour);
    grantSomething(this.#provider);
    inviteSoon(this.#provider);
  }

  get listener(): RequestListener {
    const pass = this.#provider.callback();
    const mount = new URL(this.url).pathname.replace(/\/$/, '');
    return (request, response) => {
      if (mount) unmount(request, mount);
      const served = /^\/interaction\/[^/]+$/.test(request.url ?? '')
        ? interact(this.#provider, request, response)
        : this.#whenHeard(request, () => pass(request, response));
      served.catch(error => this.#fault(error, response));
    };
  }

  /** What a token stands for; undefined when it is unknown, ended or revoked. */
  async look(token: string): Promise<TokenFacts | undefined> {
    this.#journal.requests.introspections++;
    const { AccessToken, ClientCredentials } = this.#provider;
    const found = (await AccessToken.find(token)) ?? (await ClientCredentials.find(token));
    return found && { audience: [found.aud ?? []].flat(), scopes: new Set(found.scope?.split(' ')) };
  }

  async #whenHeard(request: IncomingMessage, pass: () => Promise<void>): Promise<void> {
    if (request.url === '/token') {
      await this.#behaviour.beforeTokens();
      if (request.socket.destroyed) return;
    }
    await pass();
  }

  #fault(error: unknown, response: ServerResponse): void {
    this.#journal.faults.push(error);
    if (!response.headersSent) response.writeHead(500);
    response.end(String(error));
  }
}

/** Who asks for no scope gets the usual one, as with most authorities (RFC 6749, 3.3); the provider alone would say no. */
function grantSomething(provider: Provider): void {
  provider.use(async (context, next) => {
    if (context.path === '/authorize' && !context.query.scope) {
      const { req } = context;
      const mount = req.originalUrl?.slice(0, -(req.url ?? '').length);
      context.query = { ...context.query, scope: READ_SCOPE };
      if (mount !== undefined) req.originalUrl = `${mount}${req.url}`;
    }
    await next();
  });
}

/** Who waits for a person elsewhere may ask every second (RFC 8628, 3.2); the provider names no time, which means five. */
function inviteSoon(provider: Provider): void {
  provider.use(async (context, next) => {
    await next();
    if (context.path === '/device_authorization' && context.status === 200)
      context.body = { ...(context.body as object), interval: 1 };
  });
}

/** The provider wants to see paths below its issuer, and to know what was cut away. */
function unmount(request: IncomingMessage & { originalUrl?: string }, mount: string): void {
  const asked = request.url ?? '/';
  // RFC 8414 puts the well-known part before the path of the issuer; the provider knows it behind only.
  const inserted = /^(\/\.well-known\/[^/?]+)(\/[^?]*)$/.exec(asked);
  request.originalUrl = inserted?.[2] === mount ? `${mount}${inserted[1]}` : asked;
  request.url = request.originalUrl.startsWith(`${mount}/`) ? request.originalUrl.slice(mount.length) : '/nothing-here';
}

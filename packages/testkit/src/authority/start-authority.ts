/** A real authorization server and an MCP server behind it, for tests of signing in. */
import { type HttpTestServer, serveHttp } from '../servers/test-server.ts';
import { Browser } from './browser.ts';
import { Issuer, type IssuerParts } from './issuer.ts';
import { type AuthorizationRequest, Journal, type RequestCounts, type TokenRequest } from './journal.ts';
import { type KnownClients, makeKnownClients } from './known-clients.ts';
import { type Listening, listen } from './listening.ts';
import { type AuthorityBehaviour, type AuthorityOptions, completeOptions, firstBehaviour } from './options.ts';
import { MCP_PATH, protectedServer } from './protected-server.ts';

export interface Authority extends AsyncDisposable {
  /** The protected MCP server, over streamable HTTP. */
  readonly mcpUrl: string;
  /** The authority that guards it now. */
  readonly issuer: string;
  /** Counted from the start, over all issuers. Set one to 0 to count anew. */
  readonly requests: RequestCounts;
  /** Requests to the token endpoint, oldest first. */
  readonly tokenRequests: readonly TokenRequest[];
  readonly authorizationRequests: readonly AuthorizationRequest[];
  /** What clients registered themselves with. */
  readonly registrations: readonly object[];
  /** What went wrong inside the rig; a test may look here when nothing else explains a failure. */
  readonly faults: readonly unknown[];
  /** Clients that need no registration. */
  readonly clients: KnownClients;
  /** What the authority does wrong; may be changed while it runs. */
  readonly behaviour: AuthorityBehaviour;
  readonly browser: Browser;
  /** Ends every token of a grant; without a name, of all grants. */
  revoke(grantId?: string): void;
  /** Ends all access tokens; refresh tokens stay good. */
  expireTokens(): void;
  /** Another authority takes over: the server names it from now on, and refuses the tokens of the one before. */
  moveIssuer(): Promise<string>;
  close(): Promise<void>;
}

export async function startAuthority(given: AuthorityOptions = {}): Promise<Authority> {
  const options = completeOptions(given);
  const parts: IssuerParts = {
    options,
    behaviour: firstBehaviour(options),
    clients: makeKnownClients(),
    journal: new Journal(),
  };
  const open: (HttpTestServer | Listening)[] = [];
  const issuers: Issuer[] = [];
  const current = (): Issuer => issuers.at(-1) as Issuer;

  const behind = await serveHttp(0, options.server);
  open.push(behind);
  const front = await listen(
    protectedServer({ options, journal: parts.journal, behind: behind.url, address: () => mcpUrl, issuer: current }),
  );
  open.push(front);
  const mcpUrl = `${front.origin}${MCP_PATH}`;

  /** Its address is part of what it says of itself, so the port comes first and the issuer after it. */
  async function addIssuer(): Promise<string> {
    if (options.fallback) {
      issuers.push(new Issuer(front.origin, mcpUrl, parts));
    } else {
      let listener: Issuer['listener'] | undefined;
      const listening = await listen((request, response) => listener?.(request, response));
      open.push(listening);
      const issuer = new Issuer(listening.origin, mcpUrl, parts);
      listener = issuer.listener;
      issuers.push(issuer);
    }
    return current().url;
  }
  await addIssuer();

  const close = async (): Promise<void> => {
    await Promise.all(open.splice(0).map(part => part.close()));
  };
  return {
    mcpUrl,
    get issuer() {
      return current().url;
    },
    requests: parts.journal.requests,
    tokenRequests: parts.journal.tokenRequests,
    authorizationRequests: parts.journal.authorizationRequests,
    registrations: parts.journal.registrations,
    faults: parts.journal.faults,
    clients: parts.clients,
    behaviour: parts.behaviour,
    browser: new Browser(),
    revoke: grantId => {
      for (const issuer of issuers) issuer.store.revoke(grantId);
    },
    expireTokens: () => {
      for (const issuer of issuers) issuer.store.expireAccessTokens();
    },
    moveIssuer: addIssuer,
    close,
    [Symbol.asyncDispose]: close,
  };
}

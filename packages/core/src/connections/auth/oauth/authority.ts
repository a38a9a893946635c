/**
 * Who gives out tokens for a server. Found as the server says (RFC 9728), then as that one says of itself (RFC 8414, OpenID
 * discovery); endpoints of the config are taken as they are, without asking anybody.
 */
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { JunctorError } from '../../../base/error.ts';
import type { OAuthDef } from '../../../config/schema/server-schema.ts';
import type { BearerChallenge } from '../challenge.ts';
import { signInFailed, translated } from '../failures.ts';
import { fetchWithin, type Reach, reachOf, whyRefused } from '../reach.ts';
import { sameIssuer } from '../tokens/token-entry.ts';
import { type Answer, mending, mendMetadata, mendResource } from './careless-answers.ts';
import { loadSdk, type Sdk } from './sdk.ts';

export interface Authority {
  /** Tokens and clients are bound to it. */
  readonly issuer: string;
  readonly url: string;
  /** Undefined: a server of 2025-03-26 that says nothing of itself; its endpoints have fixed names. */
  readonly metadata: AuthorizationServerMetadata | undefined;
  /** What an `iss` must be (RFC 9207); undefined where nobody told us. */
  readonly saysItIs: string | undefined;
  /** What tokens are asked for (RFC 8707), as it was told, letter by letter. */
  readonly resource: string | undefined;
  /** The scopes the server says it knows. */
  readonly scopes: string | undefined;
  /** Where its endpoints may be. */
  readonly reach: Reach;
  /** The config names its endpoints: nobody was asked. */
  readonly configured?: true;
}

export interface GuardedServer {
  readonly id: string;
  /** Its address as HTTP, whatever it is spoken to with. */
  readonly url: string;
  readonly oauth: OAuthDef;
  /** Its definition is not the person's own. */
  readonly ofProject?: true;
}

export interface DiscoveryOptions {
  /** Where the server names several, the next is asked when one says nothing. Tokens stay with the one that gave them. */
  readonly others?: boolean;
}

/** Undefined: nothing at all says that one can sign in here. */
export async function findAuthority(
  server: GuardedServer,
  challenge: BearerChallenge,
  signal?: AbortSignal,
  options: DiscoveryOptions = {},
): Promise<Authority | undefined> {
  const { oauth } = server;
  checkAddresses(server);
  const given = givenAuthority(server);
  if (given) return given;
  const sdk = await loadSdk();
  const found = await discover(sdk, server, challenge, { signal, ...options });
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = found;
  expectItself(server.id, found);
  if (!authorizationServerMetadata && !resourceMetadata) return nothingFound(server);
  const metadata = authorizationServerMetadata && withGivenEndpoints(authorizationServerMetadata, oauth);
  const reach = reachOf(server);
  if (metadata) expectSafeEndpoints(server.id, metadata, reach);
  const issuer = metadata?.issuer ?? authorizationServerUrl;
  if (oauth.issuer !== undefined && !sameIssuer(oauth.issuer, issuer)) {
    throw signInFailed(
      server.id,
      `it names the authorization server ${issuer}, and oauth.issuer is ${oauth.issuer}`,
      'if it has really moved, change oauth.issuer',
    );
  }
  return {
    issuer,
    url: authorizationServerUrl,
    metadata,
    saysItIs: metadata?.issuer,
    resource: oauth.resource ?? checkedResource(sdk, server, resourceMetadata?.resource),
    scopes: resourceMetadata?.scopes_supported?.join(' ') || undefined,
    reach,
  };
}

/** As of 2025-03-26 a server that says nothing is its own authorization server, with endpoints of fixed names. */
export function unspokenAuthority(server: GuardedServer): Authority {
  const { url, oauth } = server;
  const { origin } = new URL(url);
  return {
    issuer: origin,
    url: origin,
    metadata: undefined,
    saysItIs: undefined,
    resource: oauth.resource,
    scopes: undefined,
    reach: reachOf(server),
  };
}

/** With both endpoints in the config there is nothing left to find out. */
function givenAuthority(server: GuardedServer): Authority | undefined {
  const { url, oauth } = server;
  const { authorization_url, token_url, issuer } = oauth;
  const enough = oauth.grant_type === 'client_credentials' ? token_url : authorization_url && token_url;
  if (!token_url || !enough) return undefined;
  const { origin } = new URL(token_url);
  const metadata: AuthorizationServerMetadata = {
    issuer: issuer ?? origin,
    authorization_endpoint: authorization_url ?? token_url,
    token_endpoint: token_url,
    response_types_supported: ['code'],
    ...(oauth.registration_url === undefined ? {} : { registration_endpoint: oauth.registration_url }),
  };
  return {
    issuer: issuer ?? origin,
    url: origin,
    metadata,
    saysItIs: issuer,
    resource: oauth.resource ?? url,
    scopes: undefined,
    reach: reachOf(server),
    configured: true,
  };
}

/** Half of what is needed is a slip, and not a server without any sign-in. */
function nothingFound({ id, oauth }: GuardedServer): undefined {
  const { authorization_url, token_url } = oauth;
  const [given, missing] = token_url ? ['token_url', 'authorization_url'] : ['authorization_url', 'token_url'];
  if (!authorization_url === !token_url) return undefined;
  throw new JunctorError('config_invalid', `oauth.${missing} of server '${id}' is missing.`, {
    server: id,
    why: `oauth.${given} is set, and the server itself names no authorization server`,
    hint: `add oauth.${missing}: one cannot sign in with one of the two`,
  });
}

const ADDRESSES = ['authorization_url', 'token_url', 'registration_url', 'issuer', 'redirect_uri'] as const;

function checkAddresses({ id, oauth }: GuardedServer): void {
  for (const key of ADDRESSES) {
    const value = oauth[key];
    if (value === undefined || URL.canParse(value)) continue;
    throw new JunctorError('config_invalid', `oauth.${key} of server '${id}' is not an address.`, {
      server: id,
      why: `it is ${JSON.stringify(value)}`,
      hint: 'write it whole, from https:// to its end',
    });
  }
}

interface Discovery extends DiscoveryOptions {
  readonly signal: AbortSignal | undefined;
}

/** The first of the named authorization servers that says something of itself, else the first. */
async function discover(
  sdk: Sdk,
  server: GuardedServer,
  challenge: BearerChallenge,
  { signal, others = false }: Discovery,
): Promise<Found> {
  const first = await discoverAt(sdk, server, challenge, { signal, place: 0 });
  const named = others ? Math.min(first.named, MAX_NAMED) : 1;
  for (let place = 1; place < named && !isWell(first.found); place++) {
    const { found } = await discoverAt(sdk, server, challenge, { signal, place });
    if (isWell(found)) return found as Found;
  }
  if ('failure' in first.found) throw first.found.failure;
  return first.found;
}

/** A list is a stranger's: nobody waits for a hundred. */
const MAX_NAMED = 5;

function isWell(found: Found | { readonly failure: unknown }): boolean {
  return 'authorizationServerMetadata' in found && found.authorizationServerMetadata !== undefined;
}

async function discoverAt(
  sdk: Sdk,
  server: GuardedServer,
  { resourceMetadata }: BearerChallenge,
  { signal, place }: { readonly signal: AbortSignal | undefined; readonly place: number },
): Promise<{ readonly found: Found | { readonly failure: unknown }; readonly named: number }> {
  const pointer = resourceMetadata === undefined ? undefined : trustworthy(new URL(resourceMetadata), server);
  let said: Answer = {};
  let named = 1;
  const mend = (answer: Answer): Answer => {
    said = mendMetadata(mendResource(server.url)(answer));
    if (answer.issuer !== undefined || !Array.isArray(said.authorization_servers)) return said;
    named = said.authorization_servers.length;
    return { ...said, authorization_servers: said.authorization_servers.slice(place) };
  };
  try {
    const found = await sdk.discoverOAuthServerInfo(server.url, {
      fetchFn: mending(fetchWithin(reachOf(server), signal), mend),
      // Compared here, see below.
      skipIssuerMetadataValidation: true,
      ...(pointer === undefined ? {} : { resourceMetadataUrl: pointer }),
    });
    const { authorizationServerMetadata: known } = found;
    // The SDK leaves out what OpenID does not know, such as where a code for another device is asked for.
    return { named, found: known ? { ...found, authorizationServerMetadata: { ...said, ...known } } : found };
  } catch (error) {
    return {
      named,
      found: { failure: translated(server.id, 'its authorization server could not be found out', error) },
    };
  }
}

type Found = Awaited<ReturnType<Sdk['discoverOAuthServerInfo']>>;

/** It has to be the one that was named (RFC 8414, 3.3), but for a slash at the end: in many places they are named without. */
function expectItself(server: string, { authorizationServerUrl, authorizationServerMetadata }: Found): void {
  const issuer = authorizationServerMetadata?.issuer;
  if (issuer === undefined || sameIssuer(issuer, authorizationServerUrl)) return;
  throw signInFailed(
    server,
    `the authorization server at ${authorizationServerUrl} says that it is ${issuer}`,
    'do not try again before you know why: somebody may be between you and that server',
  );
}

/** A server that is reached over TLS does not send us to plain addresses, of our own network say: it is asked itself. */
function trustworthy(pointer: URL, { url }: GuardedServer): URL | undefined {
  const allowed = new URL(url).protocol === 'https:' ? ['https:'] : ['https:', 'http:'];
  return allowed.includes(pointer.protocol) ? pointer : undefined;
}

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'device_authorization_endpoint',
] as const;

/** Codes, tokens and people are sent there: nobody on the way may read along. */
function expectSafeEndpoints(server: string, metadata: AuthorizationServerMetadata, reach: Reach): void {
  for (const key of ENDPOINTS) {
    const address = (metadata as Readonly<Record<string, unknown>>)[key];
    const url = typeof address === 'string' ? URL.parse(address) : null;
    // What is no address, or one of another program, is refused by whoever uses it.
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) continue;
    const why = whyRefused(reach, url);
    if (why !== undefined)
      throw signInFailed(server, `${key} of its authorization server is refused: ${why}`, 'report it to its operator');
  }
}

function withGivenEndpoints(found: AuthorizationServerMetadata, given: OAuthDef): AuthorizationServerMetadata {
  return {
    ...found,
    ...(given.authorization_url === undefined ? {} : { authorization_endpoint: given.authorization_url }),
    ...(given.token_url === undefined ? {} : { token_endpoint: given.token_url }),
    ...(given.registration_url === undefined ? {} : { registration_endpoint: given.registration_url }),
  };
}

/** A server that wants tokens for somebody else's address would get tokens that are good there. */
function checkedResource(sdk: Sdk, server: GuardedServer, resource: string | undefined): string | undefined {
  if (resource === undefined) return undefined;
  const requestedResource = sdk.resourceUrlFromServerUrl(server.url);
  // With or without a slash at its end it is the same place.
  if (!requestedResource.pathname.endsWith('/')) requestedResource.pathname += '/';
  if (URL.canParse(resource) && sdk.checkResourceAllowed({ requestedResource, configuredResource: resource })) {
    return resource;
  }
  throw signInFailed(
    server.id,
    `it wants a token for ${resource}, and is itself at ${server.url}`,
    'check the url of this server, or report it to whoever runs it',
  );
}

/** One request to a token endpoint, whatever the grant: who we are is shown the way the authorization server wants it. */
import { createPrivateKey } from 'node:crypto';
import type { AddClientAuthentication, OAuthClientProvider, OAuthTokens } from '@modelcontextprotocol/client';
import { deniesClient, expectWell } from '../failures.ts';
import { fetchWithin } from '../reach.ts';
import type { Authority } from './authority.ts';
import { mending, mendTokens } from './careless-answers.ts';
import { basicHeaders } from './client-authentication.ts';
import type { OAuthClient } from './oauth-client.ts';
import { loadSdk } from './sdk.ts';

type TokenAuthority = Pick<Authority, 'url' | 'metadata' | 'resource' | 'reach'>;

export interface TokenRequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long the answer may take. Default: as for any other answer. */
  readonly answerMs?: number | undefined;
}

export async function requestTokens(
  at: TokenAuthority,
  client: OAuthClient,
  params: URLSearchParams,
  options: TokenRequestOptions = {},
): Promise<OAuthTokens> {
  const basic = await basicHeaders(client, at);
  try {
    return await requestOnce(at, client, params, { ...options, authorization: basic?.encoded });
  } catch (error) {
    // Some authorization servers take both parts as they are, though RFC 6749 (2.3.1) wants them encoded.
    if (!basic?.plain || !deniesClient(error)) throw error;
    return requestOnce(at, client, params, { ...options, authorization: basic.plain });
  }
}

async function requestOnce(
  at: TokenAuthority,
  client: OAuthClient,
  params: URLSearchParams,
  { signal, answerMs, authorization }: TokenRequestOptions & { readonly authorization: string | undefined },
): Promise<OAuthTokens> {
  const sdk = await loadSdk();
  const fetchWell: typeof fetch = async (input, init) => {
    const response = await fetchWithin(at.reach, signal, answerMs)(input, init);
    expectWell(response);
    return response;
  };
  return sdk.fetchToken(await asProvider(at, client, params, authorization), at.url, {
    ...(at.metadata ? { metadata: at.metadata } : {}),
    ...(at.resource ? { resource: at.resource } : {}),
    fetchFn: mending(fetchWell, mendTokens),
  });
}

/** The SDK wants a provider with a memory; it gets this one request. */
async function asProvider(
  at: Pick<Authority, 'metadata'>,
  { client_id, client_secret, token_endpoint_auth_method, private_key }: OAuthClient,
  params: URLSearchParams,
  authorization: string | undefined,
): Promise<OAuthClientProvider> {
  const information = {
    client_id,
    ...(client_secret === undefined ? {} : { client_secret }),
    ...(token_endpoint_auth_method === undefined ? {} : { token_endpoint_auth_method }),
    redirect_uris: [],
  };
  const never = (): never => {
    throw new Error('not needed for one token request');
  };
  return {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [] },
    clientInformation: () => information,
    prepareTokenRequest: () => params,
    tokens: () => undefined,
    saveTokens: never,
    redirectToAuthorization: never,
    saveCodeVerifier: never,
    codeVerifier: never,
    ...(authorization === undefined ? {} : { addClientAuthentication: withHeader(authorization) }),
    ...(private_key === undefined ? {} : { addClientAuthentication: await signing(client_id, private_key, at) }),
  };
}

function withHeader(authorization: string): AddClientAuthentication {
  return headers => headers.set('authorization', authorization);
}

export async function signing(
  clientId: string,
  privateKey: string,
  { metadata }: Pick<Authority, 'metadata'>,
): Promise<AddClientAuthentication> {
  const sdk = await loadSdk();
  const alg = algorithmOf(privateKey, metadata?.token_endpoint_auth_signing_alg_values_supported);
  const sign = sdk.createPrivateKeyJwtAuth({ issuer: clientId, subject: clientId, privateKey, alg });
  return async (headers, params, url, found) => {
    params.set('client_id', clientId);
    await sign(headers, params, url, found);
  };
}

/** The key says what it can sign with; where it can do several, the authorization server says which. */
function algorithmOf(privateKey: string, supported: readonly string[] | undefined): string {
  const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(privateKey);
  if (asymmetricKeyType === 'ec') return CURVES[asymmetricKeyDetails?.namedCurve ?? ''] ?? 'ES256';
  return supported && !supported.includes('RS256') && supported.includes('PS256') ? 'PS256' : 'RS256';
}

const CURVES: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };

/** One request to a token endpoint, whatever the grant: who we are is shown the way the authorization server wants it. */
import { createPrivateKey } from 'node:crypto';
import type { AddClientAuthentication, OAuthClientProvider, OAuthTokens } from '@modelcontextprotocol/client';
import type { Authority } from './authority.ts';
import { mending, mendTokens } from './careless-answers.ts';
import type { OAuthClient } from './oauth-client.ts';
import { fetchWithin } from './reach.ts';
import { loadSdk } from './sdk.ts';

export async function requestTokens(
  at: Pick<Authority, 'url' | 'metadata' | 'resource' | 'reach'>,
  client: OAuthClient,
  params: URLSearchParams,
  signal?: AbortSignal,
): Promise<OAuthTokens> {
  const sdk = await loadSdk();
  return sdk.fetchToken(await asProvider(at, client, params), at.url, {
    ...(at.metadata ? { metadata: at.metadata } : {}),
    ...(at.resource ? { resource: at.resource } : {}),
    fetchFn: mending(fetchWithin(at.reach, signal), mendTokens),
  });
}

/** The SDK wants a provider with a memory; it gets this one request. */
async function asProvider(
  at: Pick<Authority, 'metadata'>,
  { client_id, client_secret, token_endpoint_auth_method, private_key }: OAuthClient,
  params: URLSearchParams,
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
    ...(private_key === undefined ? {} : { addClientAuthentication: await signing(client_id, private_key, at) }),
  };
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

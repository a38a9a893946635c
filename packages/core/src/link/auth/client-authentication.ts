/** How a client shows who it is at an endpoint that is not the token endpoint. */
import type { Authority } from './authority.ts';
import type { OAuthClient } from './oauth-client.ts';
import { loadSdk } from './sdk.ts';
import { signing } from './token-request.ts';

export interface UnsentRequest {
  readonly headers: Headers;
  readonly body: URLSearchParams;
  readonly url: URL;
}

/** A secret goes out over TLS, or stays on this machine. */
export async function authenticate(
  client: OAuthClient,
  at: Pick<Authority, 'metadata'>,
  { headers, body, url }: UnsentRequest,
): Promise<void> {
  const sdk = await loadSdk();
  sdk.assertSecureTokenEndpoint(url);
  const { client_id, client_secret, private_key, token_endpoint_auth_method } = client;
  if (private_key !== undefined) return (await signing(client_id, private_key, at))(headers, body, url, at.metadata);
  const information = {
    client_id,
    ...(client_secret === undefined ? {} : { client_secret }),
    ...(token_endpoint_auth_method === undefined ? {} : { token_endpoint_auth_method }),
    redirect_uris: [],
  };
  const supported = at.metadata?.token_endpoint_auth_methods_supported ?? [];
  const method = sdk.selectClientAuthMethod(information, supported);
  if (method === 'client_secret_basic' && client_secret !== undefined) {
    headers.set('authorization', `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`);
    return;
  }
  body.set('client_id', client_id);
  if (method === 'client_secret_post' && client_secret !== undefined) body.set('client_secret', client_secret);
}

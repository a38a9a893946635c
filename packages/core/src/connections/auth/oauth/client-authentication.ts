/** How a client shows who it is to an authorization server. At its token endpoint the SDK does all but `Basic`. */
import type { Authority } from './authority.ts';
import type { OAuthClient } from './oauth-client.ts';
import { loadSdk, type Sdk } from './sdk.ts';
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
  const { client_id, client_secret, private_key } = client;
  if (private_key !== undefined) return (await signing(client_id, private_key, at))(headers, body, url, at.metadata);
  const method = methodOf(sdk, client, at);
  if (method === 'client_secret_basic' && client_secret !== undefined) {
    headers.set('authorization', basic(formEncoded(client_id), formEncoded(client_secret)));
    return;
  }
  body.set('client_id', client_id);
  if (method === 'client_secret_post' && client_secret !== undefined) body.set('client_secret', client_secret);
}

/**
 * The header of a client that shows a secret by `Basic`, encoded as RFC 6749 (2.3.1) wants it; `plain` where that differs
 * from the secret as it is. Undefined for every other client.
 */
export async function basicHeaders(
  client: OAuthClient,
  at: Pick<Authority, 'metadata'>,
): Promise<{ readonly encoded: string; readonly plain: string | undefined } | undefined> {
  const { client_id, client_secret, private_key } = client;
  if (client_secret === undefined || private_key !== undefined) return undefined;
  if (methodOf(await loadSdk(), client, at) !== 'client_secret_basic') return undefined;
  const [plain, encoded] = [basic(client_id, client_secret), basic(formEncoded(client_id), formEncoded(client_secret))];
  return { encoded, plain: plain === encoded ? undefined : plain };
}

function methodOf(sdk: Sdk, client: OAuthClient, { metadata }: Pick<Authority, 'metadata'>): string {
  const { client_id, client_secret, token_endpoint_auth_method } = client;
  const information = {
    client_id,
    ...(client_secret === undefined ? {} : { client_secret }),
    ...(token_endpoint_auth_method === undefined ? {} : { token_endpoint_auth_method }),
    redirect_uris: [],
  };
  return sdk.selectClientAuthMethod(information, metadata?.token_endpoint_auth_methods_supported ?? []);
}

function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

/** As a form writes a value: `application/x-www-form-urlencoded`. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

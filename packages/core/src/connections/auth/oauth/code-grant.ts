/** A person signs in with a browser: authorization code with PKCE, and the code comes back to this machine. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OAuthTokens } from '@modelcontextprotocol/client';
import { JunctorError } from '../../../base/error.ts';
import { isLoopback } from '../../../base/network/loopback.ts';
import { Scope } from '../../../base/scope.ts';
import { plainText } from '../../../base/text/plain-text.ts';
import { withDeadline } from '../../../base/time/deadline.ts';
import { clientRefused, isUnwell, signInFailed, signInStep, translated } from '../failures.ts';
import type { Interaction } from '../interaction.ts';
import type { Authority, GuardedServer } from './authority.ts';
import { type Callback, DEFAULT_REDIRECT_URI, isSame, openCallback } from './callback.ts';
import type { OAuthClient } from './oauth-client.ts';
import { loadSdk, type Sdk } from './sdk.ts';
import { requestTokens } from './token-request.ts';

export interface CodeGrant {
  readonly server: GuardedServer;
  readonly authority: Authority;
  readonly scope: string | undefined;
  readonly interaction: Interaction;
  /** Where an earlier client was registered to come back to. */
  readonly earlierRedirectUri: string | undefined;
  /** A client may have to be registered with the address, so it is chosen once that is known. */
  chooseClient(redirectUri: string): Promise<OAuthClient>;
  /** The authorization server sent the person back, so it knows the client. */
  answered(): Promise<void>;
  readonly signal: AbortSignal;
}

export interface Granted {
  readonly tokens: OAuthTokens;
  readonly client: OAuthClient;
  readonly redirectUri?: string;
}

/** A person needs a minute or two; a sign-in that was forgotten must not hold a port for ever. */
const PATIENCE_MS = 5 * 60_000;

export async function grantByCode(grant: CodeGrant): Promise<Granted> {
  const { server, signal } = grant;
  const sdk = await loadSdk();
  await using scope = new Scope();
  const state = randomBytes(32).toString('base64url');
  const callback = await callbackFor(grant, state, scope);
  const { redirectUri } = callback;
  expectPkce(grant);
  const client = await grant.chooseClient(redirectUri);
  const { authorizationUrl, codeVerifier } = await begin(sdk, grant, client, redirectUri, state);
  expectPage(grant, authorizationUrl);
  const found = await withDeadline(answerOf(grant, authorizationUrl, callback, state, scope), {
    ms: PATIENCE_MS,
    signal,
    error: () => nobodyCameBack(server.id, client),
  });
  await grant.answered();
  const code = checkedCode(sdk, grant, found);
  const params = sdk.prepareAuthorizationCodeRequest(code, codeVerifier, redirectUri);
  return { tokens: await exchanged(grant, client, params), client, redirectUri };
}

/** A page that does not know the client sends nobody back. */
function nobodyCameBack(server: string, { registered }: OAuthClient): JunctorError {
  const next = registered ? '; the next sign-in registers a new client, in case this one was forgotten there' : '';
  return signInFailed(server, `nobody signed in within 5 minutes${next}`, signInStep(server));
}

/** Milliseconds before each further try. A code is good for a minute or more, and a person went to get it. */
const TRY_AGAIN_AFTER_MS = [500, 2000, 5000];

async function exchanged(grant: CodeGrant, client: OAuthClient, params: URLSearchParams): Promise<OAuthTokens> {
  const { server, authority, signal } = grant;
  for (let tries = 0; ; tries++) {
    try {
      return await requestTokens(authority, client, params, { signal });
    } catch (error) {
      const pauseMs = isUnwell(error) ? TRY_AGAIN_AFTER_MS[tries] : undefined;
      if (pauseMs === undefined) throw clientRefused(server, 'changing the code into a token', error);
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

/** A page on this machine that lives as long as the sign-in, unless the program has one of its own. */
async function callbackFor(grant: CodeGrant, state: string, scope: Scope): Promise<Callback> {
  const { server, interaction } = grant;
  if (!interaction.page) return openCallback({ ...addressFor(grant), state, scope });
  const { redirectUri } = interaction.page;
  if (!URL.canParse(redirectUri)) throw badPage(server.id, redirectUri);
  const answer = interaction.page.returned(state, scope.signal).then(url => asAnswer(server.id, String(url), state));
  // Where the sign-in fails before anybody waits for it, nobody need hear of it.
  answer.catch(() => {});
  return { redirectUri, answer };
}

function badPage(server: string, redirectUri: string): JunctorError {
  return new JunctorError('usage', `The page that is to end the sign-in to server '${server}' has no address.`, {
    server,
    why: `page.redirectUri is ${JSON.stringify(redirectUri)}`,
    hint: 'write it whole, as your authorization server knows it: https://app.example.com/mcp/callback',
  });
}

function addressFor({ server, interaction, earlierRedirectUri }: CodeGrant): {
  redirectUri: URL;
  preferredPort: number | undefined;
} {
  const redirectUri = new URL(server.oauth.redirect_uri ?? DEFAULT_REDIRECT_URI);
  if (interaction.callbackPort !== undefined) redirectUri.port = String(interaction.callbackPort);
  const earlier = earlierRedirectUri && URL.canParse(earlierRedirectUri) ? new URL(earlierRedirectUri).port : '';
  return { redirectUri, preferredPort: earlier ? Number(earlier) : undefined };
}

async function begin(
  sdk: Sdk,
  { server, authority, scope }: CodeGrant,
  client: OAuthClient,
  redirectUrl: string,
  state: string,
): Promise<{ authorizationUrl: URL; codeVerifier: string }> {
  try {
    return await sdk.startAuthorization(authority.url, {
      ...(authority.metadata ? { metadata: authority.metadata } : {}),
      clientInformation: { client_id: client.client_id },
      redirectUrl,
      ...(scope === undefined ? {} : { scope }),
      state,
      ...(authority.resource ? { resource: authority.resource } : {}),
    });
  } catch (error) {
    throw translated(server.id, `${authority.issuer} cannot be used`, error);
  }
}

/** A code that is read on its way is worth nothing with PKCE, and only with it: who does not say that it checks is refused. */
function expectPkce({ server, authority }: CodeGrant): void {
  const { metadata, configured, url } = authority;
  if (!metadata || configured || isLoopback(new URL(url))) return;
  if (metadata.code_challenge_methods_supported?.includes('S256')) return;
  throw signInFailed(
    server.id,
    `${authority.issuer} does not say that it supports PKCE (code_challenge_methods_supported lacks S256)`,
    'report it to its operator; where you know that it does, write its endpoints into oauth of this server',
  );
}

/** A person is sent there. Other addresses than those of pages start other programs, and a stranger chose this one. */
function expectPage({ server, authority }: CodeGrant, { protocol }: URL): void {
  if (protocol === 'https:' || protocol === 'http:') return;
  throw signInFailed(
    server.id,
    `${authority.issuer} names an address to sign in at that begins with ${protocol}`,
    'report it to whoever runs that server; nothing was opened',
  );
}

/** What the person came back with: to our page, or pasted. Whichever is first. */
async function answerOf(
  { server, interaction }: CodeGrant,
  url: URL,
  callback: Callback,
  state: string,
  scope: Scope,
): Promise<URLSearchParams> {
  await interaction.visit(url, { server: server.id });
  if (!interaction.pasted) return callback.answer;
  const pasted = interaction.pasted(scope.signal).then(text => asAnswer(server.id, text, state));
  return Promise.race([callback.answer, pasted]);
}

function asAnswer(server: string, text: string, state: string): URLSearchParams {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) {
    throw signInFailed(
      server,
      'what was pasted is not an address',
      'paste the whole address of the page the browser ended on, from http:// to its end',
    );
  }
  const params = new URL(trimmed).searchParams;
  if (isSame(params.get('state'), state)) return params;
  throw signInFailed(
    server,
    'the address that was pasted does not belong to this sign-in: its state is another',
    'begin again, and paste the address that this sign-in leads to',
  );
}

/**
 * Who answered is looked at before what was answered: in a mix-up the words of an error would be those of an attacker
 * (RFC 9207).
 */
function checkedCode(sdk: Sdk, { server, authority }: CodeGrant, answer: URLSearchParams): string {
  try {
    sdk.validateAuthorizationResponseIssuer({
      iss: answer.get('iss') ?? undefined,
      expectedIssuer: authority.saysItIs,
      issParameterSupported: authority.metadata?.authorization_response_iss_parameter_supported === true,
    });
  } catch (error) {
    throw signInFailed(
      server.id,
      `the answer does not come from ${authority.issuer}, where the sign-in was begun`,
      'do not try again before you know why: somebody may be between you and that server',
      error,
    );
  }
  const error = answer.get('error');
  const code = answer.get('code');
  if (!error && code) return code;
  const said = plainText([error, answer.get('error_description')].filter(Boolean).join(': '), { maxChars: 300 });
  throw signInFailed(server.id, said || 'the answer holds no code', signInStep(server.id));
}

/** What can go wrong with signing in, as the errors people and programs see. */
import { isJunctorError, JunctorError, type NextStep, sentenceOf } from '../../base/error.ts';
import { plainText } from '../../base/text/plain-text.ts';

/** Nobody has signed in, or what they got is no longer good. */
export function signInNeeded(server: string, why: string, cause?: unknown): JunctorError {
  return new JunctorError('auth_required', `Server '${server}' asks you to sign in.`, {
    server,
    why,
    ...signInStep(server),
    cause,
  });
}

/** How a person gets there, through the program that has the host or by a command. */
export function signInStep(server: string, scope?: string): Required<NextStep> {
  const isHarmless = scope !== undefined && HARMLESS_SCOPE.test(scope);
  const wanted = isHarmless ? { call: `, scope: '${scope}'`, option: ` --scope "${scope}"` } : { call: '', option: '' };
  return {
    hint: `sign in: await signIn(host, '${server}', { visit: url => …${wanted.call} })`,
    command: `junctor mcp login ${server}${wanted.option}`,
  };
}

/** The server names it, and a person pastes the line: nothing that a shell or a program would run goes into it. */
const HARMLESS_SCOPE = /^[\w.:/@*+=,~?&# -]+$/;

/** Somebody has signed in, with less than this request needs. */
export function moreScopeNeeded(server: string, missing: string | undefined, whole: string | undefined): JunctorError {
  const what = missing ? `the scope ${missing}` : 'more than you have granted';
  return new JunctorError('auth_required', `Server '${server}' wants ${what} for this request.`, {
    server,
    why: 'HTTP 403, insufficient_scope',
    ...signInStep(server, whole),
  });
}

/** A server that refuses us and says nothing of signing in: it may want a key in a header. */
export function nothingToSignInTo(server: string, cause?: unknown): JunctorError {
  return new JunctorError('connection_failed', `Server '${server}' refused the request: it wants credentials.`, {
    server,
    why: 'HTTP 401, and it names no way to sign in',
    hint: `set headers.Authorization of server '${server}', such as "Bearer …"`,
    // Asking again would not change it.
    cause: Object.assign(new Error('HTTP 401', { cause }), { status: 401 }),
  });
}

/** A sign-in that was begun. */
export function signInFailed(server: string, why: string, next: string | NextStep, cause?: unknown): JunctorError {
  return new JunctorError('sign_in_failed', `The sign-in to server '${server}' was not completed.`, {
    server,
    why,
    ...(typeof next === 'string' ? { hint: next } : next),
    cause,
  });
}

export function authorityUnreachable(server: string, error: unknown): JunctorError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const isBusy = isUnwell(error);
  const what = isBusy ? 'cannot answer now' : 'could not be reached';
  return new JunctorError('connection_failed', `The authorization server of server '${server}' ${what}.`, {
    server,
    why: reasonOf(cause),
    hint: `${isBusy ? '' : 'check the network, then '}try again; nothing that is stored was changed`,
    cause: error,
  });
}

/** A word of the system, such as ECONNREFUSED, says most. The code of a DOMException is a number that nobody knows. */
function reasonOf(cause: unknown): string {
  const { code, name } = cause as { code?: unknown; name?: unknown };
  if (name === 'TimeoutError') return 'it did not answer in time';
  return typeof code === 'string' ? code : sentenceOf(cause);
}

/**
 * Throws for an authorization server that has no time, or is in trouble: HTTP 408, 429 or 5xx, whatever its body says. That
 * tells nothing about tokens, codes or clients.
 */
export function expectWell({ status }: Response): void {
  if (status !== 408 && status !== 429 && status < 500) return;
  throw Object.assign(new Error(`HTTP ${status}`), { name: UNWELL, status });
}

/** Whether an answer was one that `expectWell` throws for. */
export function isUnwell(error: unknown): boolean {
  return error instanceof Error && error.name === UNWELL;
}

const UNWELL = 'AuthorityUnwell';

/** An answer can be long, and is a stranger's. */
const LONGEST_ANSWER = 300;

/** Anything thrown on the way of a sign-in, in our words. `about` says which step it was. */
export function translated(server: string, about: string, error: unknown): JunctorError {
  if (isJunctorError(error)) return error;
  if (isPassing(error)) return authorityUnreachable(server, error);
  const code = oauthCode(error);
  const said = plainText(misshapen(error) ?? sentenceOf(error), { maxChars: LONGEST_ANSWER });
  const why = `${about}: ${code && !said.includes(code) ? `${code}: ${said}` : said}`;
  return signInFailed(server, why, signInStep(server), error);
}

/** The same where the client may be refused for a reason that its config shows. */
export function clientRefused(
  { id, oauth }: { readonly id: string; readonly oauth: Readonly<Record<string, unknown>> },
  about: string,
  error: unknown,
): JunctorError {
  const key = ['client_id', 'client_secret'].find(name => REFERENCE.test(String(oauth[name] ?? '')));
  if (key === undefined || !deniesClient(error)) return translated(id, about, error);
  return signInFailed(
    id,
    `${about}: ${oauthCode(error)}; oauth.${key} was sent as it is written, with \${…}`,
    `the format of this file does not replace \${…}: write oauth.${key} itself, or define the server in a Junctor file`,
    error,
  );
}

/** What looks like a variable: in some dialects it is plain text. */
const REFERENCE = /\$\{[^{}]{1,200}\}/;

/** An answer that is not as it should be, by the names of what is wrong in it: how a schema tells it is for programs. */
function misshapen(error: unknown): string | undefined {
  const { issues } = error as { issues?: unknown };
  if (!(error instanceof Error) || !Array.isArray(issues)) return undefined;
  const names = issues.map(({ path }: { path?: unknown }) => (Array.isArray(path) ? path.join('.') : ''));
  return `its answer is not as it should be: see ${[...new Set(names)].join(', ')}`;
}

/** The code of RFC 6749 in an answer of an authorization server. */
export function oauthCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'OAuthError') return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** The authorization server does not know the client, or no longer. */
export function deniesClient(error: unknown): boolean {
  const code = oauthCode(error);
  return code === 'invalid_client' || code === 'unauthorized_client';
}

/** The refresh token is spent, revoked or unknown: no later try can succeed. */
export function endsGrant(error: unknown): boolean {
  return oauthCode(error) === 'invalid_grant';
}

/** Refusals that stay what they are until a person does something. Other codes may be a provider's word for "later". */
export function isFinal(error: unknown): boolean {
  return endsGrant(error) || deniesClient(error) || oauthCode(error) === 'invalid_scope';
}

/** The authorization server itself is in trouble, which says nothing about our tokens. */
export function isPassing(error: unknown): boolean {
  return isNetworkFailure(error) || isUnwell(error) || PASSING.has(oauthCode(error) ?? '');
}

const PASSING = new Set(['server_error', 'temporarily_unavailable', 'too_many_requests']);

function isNetworkFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error instanceof TypeError && error.message === 'fetch failed') || error.name === 'TimeoutError';
}

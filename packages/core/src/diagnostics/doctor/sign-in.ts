/** Whether a server wants a sign-in, whether one is possible there, and whether somebody has signed in. */
import { isJunctorError, type JunctorError } from '../../base/error.ts';
import { stepAtCommandLine } from '../../base/told.ts';
import { credentialKind, guarded } from '../../connections/auth/credential-kind.ts';
import { type AuthStatus, authStatus } from '../../host/sign-in.ts';
import type { RemoteEndpoint, ResolvedServer } from '../../resolve/roster.ts';
import { type AuthMetadata, readAuthMetadata } from './auth-metadata.ts';
import { type Finding, failed } from './finding.ts';
import type { Look, Practice } from './look.ts';

/** Undefined where there is nothing to say: a program gets its credentials through its environment. */
export async function examineSignIn(
  practice: Practice,
  server: ResolvedServer,
  first: Look,
): Promise<Finding | undefined> {
  const { endpoint } = server;
  if (endpoint.transport === 'stdio') return undefined;
  const refusal = first.ok ? undefined : refusedFor(first.error);
  // What failed for another reason was perhaps never asked who it is.
  if (!first.ok && !refusal) return undefined;
  const kind = credentialKind(server);
  if (kind !== 'oauth') return withoutSignIn(WITHOUT[kind], refusal);
  // A program that Junctor started is gone by now, and nobody is left to ask.
  if (endpoint.program) return withoutSignIn('the program behind its url asks for no sign-in', refusal);
  const [status] = (await authStatus(practice.host)).filter(
    row => row.server === server.id && row.account === endpoint.signIn.account,
  );
  const state = status?.state ?? 'signed_out';
  if (!refusal && state === 'signed_out') {
    return { step: 'auth', outcome: 'ok', detail: 'it asks for no sign-in', facts: { asks: false } };
  }
  return guardedServer(practice, server, endpoint, { refusal, state, until: status?.expires_at });
}

const WITHOUT = {
  none: 'no sign-in is tried: oauth is false in its config',
  header: 'the config sends an Authorization header',
  provider: 'its credentials come from an auth provider',
} as const;

interface Known {
  readonly refusal: JunctorError | undefined;
  readonly state: AuthStatus['state'];
  readonly until: number | undefined;
}

async function guardedServer(
  { options, signal }: Practice,
  { id, timeouts }: ResolvedServer,
  endpoint: RemoteEndpoint,
  known: Known,
): Promise<Finding> {
  const { refusal, state, until } = known;
  const facts = { asks: true, state, ...(until === undefined ? {} : { expires_at: until }) };
  let metadata: AuthMetadata | undefined;
  try {
    const { clientMetadataUrl } = options;
    const patience = AbortSignal.any([signal, AbortSignal.timeout(timeouts.connectMs)]);
    metadata = await readAuthMetadata(guarded(id, endpoint), endpoint, { clientMetadataUrl, signal: patience });
  } catch (error) {
    signal.throwIfAborted();
    if (!isJunctorError(error)) throw error;
    return failed('auth', error, { facts });
  }
  const who = whoIsIn(known);
  if (!metadata) return withoutMetadata(who, refusal, facts);
  const base = { step: 'auth', lines: linesOf(metadata), facts: { ...facts, ...metadata } } as const;
  const obstacle = obstacleIn(metadata);
  if (obstacle)
    return { ...base, outcome: refusal ? 'no' : 'warn', detail: `${who}; ${obstacle.what}`, fix: obstacle.fix };
  if (!refusal) return { ...base, outcome: 'ok', detail: who };
  return {
    ...base,
    outcome: 'no',
    detail: who,
    person: true,
    fix: stepAtCommandLine(refusal) ?? `junctor mcp login ${id}`,
  };
}

function withoutMetadata(who: string, refusal: JunctorError | undefined, facts: Finding['facts']): Finding {
  const lines = ['neither it nor its host says where one signs in (RFC 9728, RFC 8414)'];
  const base = { step: 'auth', detail: who, lines, facts: { ...facts } } as const;
  if (!refusal) return { ...base, outcome: 'ok' };
  const fix = stepAtCommandLine(refusal);
  return { ...base, outcome: 'no', ...(fix ? { fix } : {}) };
}

function withoutSignIn(detail: string, refusal: JunctorError | undefined): Finding {
  if (refusal) return failed('auth', refusal);
  return { step: 'auth', outcome: 'ok', detail };
}

/** The error, where the server refused us for who we are. */
function refusedFor(error: JunctorError): JunctorError | undefined {
  const status = (error.cause as { status?: unknown } | undefined)?.status;
  return error.code === 'auth_required' || status === 401 ? error : undefined;
}

function whoIsIn({ state, until, refusal }: Known): string {
  const ends = until === undefined ? '' : ` until ${new Date(until).toISOString()}`;
  if (state === 'signed_in') return refusal ? 'signed in, and refused all the same' : `signed in${ends}`;
  return state === 'expired' ? `the sign-in is over since${ends.replace(' until', '')}` : 'it asks you to sign in';
}

function linesOf(metadata: AuthMetadata): string[] {
  const { issuer, resource_metadata, authorization_metadata, registration, takes_documents } = metadata;
  const yes = (answer: boolean | null, unknown: string): string => (answer === null ? unknown : answer ? 'yes' : 'no');
  const ways = [...registration, ...(takes_documents && !registration.includes('document') ? ['document'] : [])];
  return [
    `says who guards it (RFC 9728): ${yes(resource_metadata, 'not asked, the config does')}`,
    `authorization server: ${issuer}${authorization_metadata ? '' : ', which does not describe itself'}`,
    `new clients: ${ways.map(way => WAYS[way as keyof typeof WAYS]).join(', ') || 'none'}`,
    `PKCE S256: ${yes(metadata.pkce_s256, 'it does not say')}; device code: ${yes(metadata.device_code, '')}`,
  ];
}

const WAYS = {
  config: 'the one of the config',
  document: 'by client id document',
  dynamic: 'by registration',
} as const;

/** What would make a sign-in fail, whoever tries. */
function obstacleIn({ issuer, registration, pkce_s256, takes_documents }: AuthMetadata) {
  if (pkce_s256 === false) {
    return {
      what: `${issuer} does not know PKCE S256`,
      fix: `tell whoever runs ${issuer}: without PKCE S256 nobody signs in`,
    };
  }
  if (registration.length > 0) return undefined;
  const document = takes_documents ? ', or oauth.client_metadata_url' : '';
  return {
    what: `${issuer} takes no new clients by itself`,
    fix: `register a client at ${issuer}, and put it into oauth.client_id${document} of this server`,
  };
}

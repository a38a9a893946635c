/**
 * Which of the two eras a server speaks: with a handshake (up to 2025-11-25), and without one (2026-07-28). One of them is
 * known from the first try; the other gets a try of its own.
 */
import type { JunctorError } from '../../base/error.ts';
import type { EraName } from '../../connections/protocol/envelope.ts';
import type { ResolvedServer } from '../../resolve/roster.ts';
import type { Finding } from './finding.ts';
import type { Look } from './look.ts';

/** A version, or why there is none. */
type Spoken = { readonly version: string } | { readonly because: string };

/** A server that has just answered the other way needs no longer for a no; one that stays silent would cost the whole time. */
const SHORTEST_WAIT_MS = 5000;

/** Undefined where a second try could tell nothing: it ended, refused us, or was never reached. */
export async function examineEras(
  server: ResolvedServer,
  first: Look,
  tryAs: (server: ResolvedServer) => Promise<Look>,
): Promise<Finding | undefined> {
  if (first.ok) {
    const { era, protocolVersion } = first.greeting;
    const other = OTHER[era];
    const patient = withConnectMs(server, Math.max(SHORTEST_WAIT_MS, 3 * first.ms));
    const spoken = { [era]: { version: protocolVersion }, [other]: await asEra(patient, other, first, tryAs) };
    return finding(spoken as Record<EraName, Spoken>, protocolVersion);
  }
  const other = worthTrying(server, first.error);
  if (!other) return undefined;
  const found = await asEra(server, other, first, tryAs);
  const spoken = { [OTHER[other]]: { because: first.error.message }, [other]: found };
  return {
    ...finding(spoken as Record<EraName, Spoken>, undefined),
    ...('version' in found ? mend(server, other) : {}),
  };
}

const OTHER: Readonly<Record<EraName, EraName>> = { legacy: 'modern', modern: 'legacy' };

async function asEra(
  server: ResolvedServer,
  era: EraName,
  first: Look,
  tryAs: (server: ResolvedServer) => Promise<Look>,
): Promise<Spoken> {
  const transport = first.ok ? first.transport : server.endpoint.transport;
  if (era === 'modern' && transport === 'sse') return { because: 'it has no such thing over the SSE transport' };
  const found = await tryAs({ ...server, protocol: era });
  if (!found.ok) return { because: found.error.message };
  // An old server may have been reached over an older transport instead.
  const { greeting } = found;
  return greeting.era === era ? { version: greeting.protocolVersion } : { because: 'it was answered the other way' };
}

/** A config that insists on one era may insist on the wrong one; and some servers stop at a question they do not know. */
function worthTrying({ protocol }: ResolvedServer, { code }: JunctorError): EraName | undefined {
  if (
    code === 'auth_required' ||
    code === 'command_not_found' ||
    code === 'folder_not_found' ||
    code === 'executor_unavailable' ||
    code === 'port_in_use'
  )
    return undefined;
  if (protocol !== 'auto') return OTHER[protocol];
  return code === 'timeout' ? 'legacy' : undefined;
}

function mend({ id, protocol }: ResolvedServer, speaks: EraName): Partial<Finding> {
  return { fix: `set "protocol": "${protocol === 'auto' ? speaks : 'auto'}" on server '${id}'` };
}

function finding(spoken: Readonly<Record<EraName, Spoken>>, uses: string | undefined): Finding {
  const { legacy, modern } = spoken;
  const words = [`legacy: ${versionOr(legacy, 'no')}`, `modern: ${versionOr(modern, 'no')}`];
  const reasons = Object.entries({ legacy, modern }).flatMap(([era, one]) =>
    'because' in one ? [`not ${era}: ${one.because}`] : [],
  );
  return {
    step: 'eras',
    outcome: uses === undefined ? 'no' : 'ok',
    detail: [
      ...words,
      uses === undefined ? 'Junctor gets through with neither as it is configured' : `Junctor uses ${uses}`,
    ].join('; '),
    ...(reasons.length > 0 ? { lines: reasons } : {}),
    facts: { legacy: versionOr(legacy, null), modern: versionOr(modern, null), uses: uses ?? null },
  };
}

function versionOr<T>(spoken: Spoken, otherwise: T): string | T {
  return 'version' in spoken ? spoken.version : otherwise;
}

function withConnectMs(server: ResolvedServer, ms: number): ResolvedServer {
  const { timeouts } = server;
  return { ...server, timeouts: { ...timeouts, connectMs: Math.min(timeouts.connectMs, ms) } };
}

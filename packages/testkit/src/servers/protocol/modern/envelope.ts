/** What every request of the modern era says about its sender: there was no handshake that could have said it. */
import { CODE, type Params, RpcError, record } from '../../rpc.ts';
import { isLogLevel } from '../log-level.ts';

export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

const PREFIX = 'io.modelcontextprotocol/';

export const META = {
  protocolVersion: `${PREFIX}protocolVersion`,
  clientCapabilities: `${PREFIX}clientCapabilities`,
  logLevel: `${PREFIX}logLevel`,
  serverInfo: `${PREFIX}serverInfo`,
  subscriptionId: `${PREFIX}subscriptionId`,
} as const;

export interface Envelope {
  readonly capabilities: Params;
  /** Absent: the client wants no log messages. */
  readonly logLevel: string | undefined;
  readonly progressToken: unknown;
}

/** The version a request claims; undefined when it claims none, and so is of the legacy era. */
export function claimedVersion(params: Params | undefined): unknown {
  return record(params?._meta)[META.protocolVersion];
}

/** Reads the envelope, and refuses a request whose envelope says too little or asks for another version. */
export function openEnvelope(params: Params): Envelope {
  const meta = record(params._meta);
  const version = meta[META.protocolVersion];
  if (typeof version !== 'string') throw missing(META.protocolVersion);
  if (!MODERN_VERSIONS.includes(version)) throw unsupported(version);
  const capabilities = meta[META.clientCapabilities];
  if (typeof capabilities !== 'object' || capabilities === null) throw missing(META.clientCapabilities);
  const logLevel = meta[META.logLevel];
  return {
    capabilities: record(capabilities),
    logLevel: isLogLevel(logLevel) ? logLevel : undefined,
    progressToken: meta.progressToken,
  };
}

export function unsupported(requested: string): RpcError {
  return new RpcError(CODE.unsupportedVersion, `Unsupported protocol version: ${requested}`, {
    data: { supported: MODERN_VERSIONS, requested },
    status: 400,
  });
}

function missing(key: string): RpcError {
  return new RpcError(CODE.invalidParams, `The request has no _meta["${key}"].`, { status: 400 });
}

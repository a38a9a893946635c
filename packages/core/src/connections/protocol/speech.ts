import type { HeaderArgument } from '../../catalogue/header-arguments.ts';
import type { ResolvedServer } from '../../resolve/roster.ts';
import { enveloped, type Sender } from './envelope.ts';
import { argumentHeaders, standardHeaders } from './request-headers.ts';

/** How requests are written in the era that was agreed on. Up to 2025-11-25 nothing is added. */
export interface Speech {
  dress(params: object): object;
  /** For a transport with headers. */
  headersFor?: ((method: string, params: object) => Readonly<Record<string, string>>) | undefined;
  /** Whether letting go of the response tells the server already that nobody waits. */
  readonly cancelsByHangingUp: boolean;
}

/** Where it is known which arguments of a tool are repeated as headers. */
export interface KnownTools {
  headerArguments(tool: string): readonly HeaderArgument[];
}

/** How requests of the 2026-07-28 era are written for this server. */
export function modernSpeech(server: ResolvedServer, sender: Sender, known: KnownTools): Speech {
  const hasHeaders = server.endpoint.transport === 'http';
  const headersFor = (method: string, params: object): Record<string, string> => {
    const standard = standardHeaders(sender.version, method, params);
    if (method !== 'tools/call') return standard;
    const { name, arguments: args } = params as { name?: unknown; arguments?: unknown };
    const declared = known.headerArguments(String(name));
    return declared.length === 0 ? standard : { ...standard, ...argumentHeaders(declared, args) };
  };
  return {
    dress: enveloped(sender),
    headersFor: hasHeaders ? headersFor : undefined,
    cancelsByHangingUp: hasHeaders,
  };
}

/** W3C trace context: which trace a call belongs to, as clients and servers pass it on in `_meta`. Pure. */
import { randomBytes } from 'node:crypto';

export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/** Undefined where nothing of sense was sent. */
export function readTraceparent(text: unknown): TraceContext | undefined {
  const [, traceId, spanId, flags] = (typeof text === 'string' && TRACEPARENT.exec(text)) || [];
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags as string, 16) & 1) === 1 };
}

export function traceparentOf({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** A span of its own, in the trace of its parent where there is one. Whoever began the trace decided whether it is kept. */
export function childOf(parent: TraceContext | undefined): TraceContext {
  const spanId = randomBytes(8).toString('hex');
  return { traceId: parent?.traceId ?? randomBytes(16).toString('hex'), spanId, sampled: parent?.sampled ?? true };
}

/** Spans as OTLP over HTTP wants them in JSON: https://opentelemetry.io/docs/specs/otlp. Pure. */
import { VERSION } from '@junctor/core';
import type { TraceContext } from './trace-context.ts';

export interface Span {
  readonly name: string;
  readonly context: TraceContext;
  readonly parent: TraceContext | undefined;
  /** Milliseconds since the epoch, with fractions. */
  readonly started: number;
  readonly ended: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Why it failed; undefined where it did not. */
  readonly error: string | undefined;
}

const SERVER_KIND = 2;
const STATUS = { unset: 0, error: 2 } as const;

export function tracesDocument(spans: readonly Span[], serviceName: string): object {
  const resource = { attributes: attributesOf({ 'service.name': serviceName, 'service.version': VERSION }) };
  const scopeSpans = [{ scope: { name: 'junctor', version: VERSION }, spans: spans.map(written) }];
  return { resourceSpans: [{ resource, scopeSpans }] };
}

function written({ name, context, parent, started, ended, attributes, error }: Span): object {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parent ? { parentSpanId: parent.spanId } : {}),
    name,
    kind: SERVER_KIND,
    startTimeUnixNano: nanoseconds(started),
    endTimeUnixNano: nanoseconds(ended),
    attributes: attributesOf(attributes),
    status: error === undefined ? { code: STATUS.unset } : { code: STATUS.error, message: error },
  };
}

function attributesOf(attributes: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));
}

/** Too large for a number: it goes as a text. */
function nanoseconds(ms: number): string {
  return `${Math.trunc(ms)}${String(Math.trunc((ms % 1) * 1e6)).padStart(6, '0')}`;
}

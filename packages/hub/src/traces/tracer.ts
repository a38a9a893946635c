/** A span for each call: in the trace of the client that names one, and passed on to the server. Arguments are not in it. */
import type { CallObserver, ToolCall } from '@junctor/core';
import type { CallAbout, CallEnd } from '../calls/call-record.ts';
import type { Span } from './otlp.ts';
import { childOf, readTraceparent, type TraceContext, traceparentOf } from './trace-context.ts';

export interface SpanShelf {
  add(span: Span): void;
}

export interface OpenSpan extends CallObserver {
  /** For the server. */
  readonly traceparent: string;
  ended(call: ToolCall, end: CallEnd): void;
}

export class Tracer {
  readonly #shelf: SpanShelf;

  constructor(shelf: SpanShelf) {
    this.#shelf = shelf;
  }

  /** `meta`: what the client sent along with its call. */
  begin(about: CallAbout, meta: unknown): OpenSpan {
    const parent = readTraceparent((meta as { traceparent?: unknown } | undefined)?.traceparent);
    const context = childOf(parent);
    const started = performance.timeOrigin + performance.now();
    return {
      traceparent: traceparentOf(context),
      ended: (_call, end) => this.#ended(about, { context, parent, started }, end),
    };
  }

  #ended(about: CallAbout, span: Pick<Span, 'parent' | 'started'> & { context: TraceContext }, end: CallEnd): void {
    if (!span.context.sampled) return;
    const { caller, server, tool } = about;
    const { agent, person, token, session = '' } = caller;
    const { outcome, failed, code, bytes } = end;
    this.#shelf.add({
      ...span,
      name: `tools/call ${tool}`,
      ended: performance.timeOrigin + performance.now(),
      attributes: {
        'mcp.method.name': 'tools/call',
        'mcp.session.id': session,
        'gen_ai.tool.name': tool,
        'junctor.server': server,
        ...(agent === undefined ? {} : { 'junctor.agent': agent }),
        ...(person?.name === undefined ? {} : { 'enduser.id': person.name }),
        'junctor.bearer': token?.kind === 'agent' ? 'agent' : 'person',
        'junctor.outcome': outcome,
        'junctor.answer.bytes': bytes,
        ...(code === undefined ? {} : { 'error.type': code }),
      },
      error: failed ? (code ?? 'failed') : undefined,
    });
  }
}

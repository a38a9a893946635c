/**
 * Stands between a client and a server and passes on what each says, as it is; a recording hears all of it. Only ids of
 * requests are changed on the way, since the lines to servers have ids of their own.
 */

import type { JunctorError } from '../base/error.ts';
import { RPC_CODE } from '../base/rpc-code.ts';
import { type HeaderArgument, headerArguments } from '../catalogue/header-arguments.ts';
import { findAnswerId } from '../link/answer-id.ts';
import type { Channel, ChannelListener } from '../link/channel.ts';
import { META } from '../link/era/envelope.ts';
import { argumentHeaders, standardHeaders } from '../link/era/request-headers.ts';
import { oversized } from '../link/failures.ts';
import { type Frame, frameText } from '../link/frame.ts';
import type { RpcMessage, Speaker } from './recording.ts';

export interface RecordingLineOptions {
  readonly server: string;
  readonly note: (from: Speaker, message: object) => void;
  /** Why the client may not call this tool. */
  readonly refusal: (tool: string, args: unknown) => string | undefined;
  /** Told when the server is gone. */
  readonly onClosed: (error: JunctorError) => void;
}

interface Waiting {
  /** As the client calls the request. */
  readonly id: unknown;
  readonly method: string;
  readonly say: Say;
}

type Say = (message: object) => void;

export class RecordingLine implements ChannelListener {
  readonly #channel: Channel;
  readonly #options: RecordingLineOptions;
  readonly #waiting = new Map<number, Waiting>();
  /** Arguments that a modern server behind HTTP wants repeated as headers. */
  readonly #headerArguments = new Map<string, readonly HeaderArgument[]>();
  #say: Say = () => {};
  #nextId = 1;

  constructor(channel: Channel, options: RecordingLineOptions) {
    this.#channel = channel;
    this.#options = options;
    channel.listen(this);
  }

  /** One message of the client. */
  hear(message: RpcMessage, say: Say): void {
    this.#say = say;
    const { id, method, params } = message;
    if (typeof method !== 'string' || id === undefined) return this.#hearNotice(message);
    const { name, arguments: args } = (params ?? {}) as { name?: unknown; arguments?: unknown };
    const refusal = method === 'tools/call' ? this.#options.refusal(String(name), args) : undefined;
    if (refusal !== undefined) {
      return say({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: refusal }], isError: true } });
    }
    this.#options.note('client', message);
    const own = this.#nextId++;
    this.#waiting.set(own, { id, method, say });
    this.#channel.send(JSON.stringify({ ...message, id: own }), own, this.#headersFor(method, params));
  }

  /** Notifications, and answers to what the server asked. */
  #hearNotice(message: RpcMessage): void {
    this.#options.note('client', message);
    if (message.method === 'notifications/cancelled') return this.#cancel(message);
    this.#channel.send(JSON.stringify(message));
    if (message.method === 'notifications/initialized') this.#channel.greeted?.();
  }

  #cancel(message: RpcMessage): void {
    const params = message.params as { requestId?: unknown };
    const found = [...this.#waiting].find(([, { id }]) => id === params?.requestId);
    if (!found) return;
    this.#waiting.delete(found[0]);
    this.#channel.send(JSON.stringify({ ...message, params: { ...params, requestId: found[0] } }));
    this.#channel.abandon?.(found[0]);
  }

  get inFlight(): number {
    return this.#waiting.size;
  }

  awaits(id: number): boolean {
    return this.#waiting.has(id);
  }

  onHeld(): void {}

  onSent(): void {}

  onFrame(frame: Frame): void {
    let value: unknown;
    try {
      value = JSON.parse(frameText(frame));
    } catch {
      return; // no message, but something the server wrote beside them
    }
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === 'object' && one !== null) this.#pass(one);
    }
  }

  onOversized(ends: Frame, bytes: number): void {
    const at = findAnswerId(ends);
    if (at) this.onRefused(at.id, oversized(this.#options.server, bytes));
  }

  onRefused(id: number, { message, code, why }: JunctorError): void {
    if (!this.#waiting.has(id)) return;
    const data = { code, ...(why === undefined ? {} : { why }) };
    this.#pass({ jsonrpc: '2.0', id, error: { code: RPC_CODE.serverFailed, message, data } } as RpcMessage);
  }

  onRetired(error: JunctorError): void {
    this.onClosed(error);
  }

  onClosed(error: JunctorError): void {
    for (const id of [...this.#waiting.keys()]) this.onRefused(id, error);
    this.#options.onClosed(error);
  }

  #pass(message: RpcMessage): void {
    if (typeof message.method === 'string') {
      this.#options.note('server', message);
      return this.#say(message);
    }
    const waiting = this.#waiting.get(message.id as number);
    if (!waiting) return; // late, or cancelled
    this.#waiting.delete(message.id as number);
    this.#learn(waiting.method, message.result);
    const answer = { ...message, id: waiting.id };
    this.#options.note('server', answer);
    waiting.say(answer);
  }

  /** What later requests have to say in headers. */
  #learn(method: string, result: unknown): void {
    const { protocolVersion, supportedVersions, tools } = (result ?? {}) as Record<string, unknown>;
    if (method === 'initialize' && typeof protocolVersion === 'string') this.#channel.agreed?.(protocolVersion);
    if (method === 'server/discover' && Array.isArray(supportedVersions))
      this.#channel.agreed?.(String(supportedVersions[0]));
    if (method !== 'tools/list' || !Array.isArray(tools)) return;
    for (const { name, inputSchema } of tools as { name: string; inputSchema: unknown }[]) {
      const found = headerArguments(inputSchema);
      if (found.ok && found.declared.length > 0) this.#headerArguments.set(name, found.declared);
    }
  }

  #headersFor(method: string, params: unknown): Record<string, string> | undefined {
    const { _meta, name, arguments: args } = (params ?? {}) as Record<string, unknown>;
    const version = (_meta as Record<string, unknown> | undefined)?.[META.protocolVersion];
    if (typeof version !== 'string') return undefined;
    const declared = method === 'tools/call' ? (this.#headerArguments.get(String(name)) ?? []) : [];
    return { ...standardHeaders(version, method, params as object), ...argumentHeaders(declared, args) };
  }
}

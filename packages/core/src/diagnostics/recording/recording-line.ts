/**
 * Stands between a client and a server and passes on what each says, as it is; a recording hears all of it. Only ids of
 * requests are changed on the way, since the lines to servers have ids of their own.
 */

import { type JunctorError, sentenceOf } from '../../base/error.ts';
import { isRawNumber, parseExactly } from '../../base/json/exact-json.ts';
import { isJson } from '../../base/json/is-json.ts';
import { isObject } from '../../base/json/is-object.ts';
import { sameJson } from '../../base/json/same-json.ts';
import { RPC_CODE } from '../../base/rpc-code.ts';
import { type HeaderArgument, headerArguments } from '../../catalogue/header-arguments.ts';
import type { ListSource } from '../../catalogue/lists/lists.ts';
import { META } from '../../connections/protocol/envelope.ts';
import { argumentHeaders, standardHeaders } from '../../connections/protocol/request-headers.ts';
import { findAnswerId } from '../../connections/rpc/answer-id.ts';
import type { Channel, ChannelListener } from '../../connections/rpc/channel.ts';
import { oversized, serverError, unreadableAnswer } from '../../connections/rpc/failures.ts';
import { type Frame, frameText } from '../../connections/rpc/frame.ts';
import { denialText } from '../../permissions/decision.ts';
import type { RpcMessage, Speaker } from './recording.ts';

export interface RecordingLineOptions {
  readonly server: string;
  readonly note: (from: Speaker, message: object) => void;
  /** Why the client may not call this tool. `source` reads the lists of the server on this line. */
  readonly refusal: (
    call: { readonly tool: string; readonly args: unknown },
    source: ListSource,
  ) => JunctorError | undefined | Promise<JunctorError | undefined>;
  /** The names of tools in a list that the client reads. */
  readonly onTools: (names: readonly string[]) => void;
  /** The server announces that its list of tools changed. */
  readonly onToolsChanged: () => void;
  /** Told when the server is gone. */
  readonly onClosed: (error: JunctorError) => void;
}

interface Waiting {
  /** As the client calls the request. */
  readonly id: unknown;
  readonly method: string;
  readonly say: Say;
  /** The recording asked, not the client: nothing of it is written down. */
  readonly own?: true;
}

type Say = (message: object) => void;

export class RecordingLine implements ChannelListener {
  readonly #channel: Channel;
  readonly #options: RecordingLineOptions;
  readonly #waiting = new Map<number, Waiting>();
  /** Calls that are not forwarded yet, by the id of the client. */
  readonly #deciding = new Set<unknown>();
  /** Arguments that a modern server behind HTTP wants repeated as headers. */
  readonly #headerArguments = new Map<string, readonly HeaderArgument[]>();
  /** What the client said since its initialize, while that has no answer. */
  #held: (() => void)[] | undefined;
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
    // Over HTTP only the answer to initialize names the session that everything else belongs to.
    if (this.#held) return void this.#held.push(() => this.hear(message, say));
    const { id, method, params } = message;
    if (method === 'initialize' && id !== undefined) this.#held = [];
    if (typeof method !== 'string' || id === undefined) return this.#hearNotice(message);
    if (method !== 'tools/call') return this.#forward(message, { id, method, say });
    const { name, arguments: args } = (params ?? {}) as { name?: unknown; arguments?: unknown };
    const decided = (refusal: JunctorError | undefined): void => {
      if (refusal === undefined) this.#forward(message, { id, method, say });
      else say({ jsonrpc: '2.0', id, ...refusedCall(refusal) });
    };
    const refusal = this.#options.refusal({ tool: String(name), args }, this.#listSource(params));
    if (!(refusal instanceof Promise)) return decided(refusal);
    this.#deciding.add(id);
    // A call that is cancelled meanwhile is not forwarded, and has no answer.
    refusal
      .then(told => {
        if (this.#deciding.delete(id)) decided(told);
      })
      .catch(error => {
        if (!this.#deciding.delete(id)) return;
        say({ jsonrpc: '2.0', id, error: { code: RPC_CODE.internal, message: sentenceOf(error) } });
      });
  }

  /** Reads lists as the client would: over its line, in its era. What is asked and answered is not recorded. */
  #listSource(call: unknown): ListSource {
    const { _meta } = (call ?? {}) as { _meta?: Readonly<Record<string, unknown>> };
    const { progressToken, ...envelope } = _meta ?? {};
    return {
      server: { id: this.#options.server },
      greeting: { capabilities: { tools: {} } },
      request: (method, given, { onSize }) => {
        const params = _meta === undefined ? given : { ...given, _meta: envelope };
        return new Promise((resolve, reject) => {
          const say = ({ result, error }: RpcMessage): void => {
            if (error !== undefined) return reject(serverError(this.#options.server, method, error));
            onSize(JSON.stringify(result ?? null).length);
            resolve(result);
          };
          this.#send({ jsonrpc: '2.0', method, params } as RpcMessage, { id: undefined, method, say, own: true });
        });
      },
    };
  }

  #forward(message: RpcMessage, waiting: Waiting): void {
    this.#options.note('client', message);
    this.#send(message, waiting);
  }

  #send(message: RpcMessage, waiting: Waiting): void {
    const own = this.#nextId++;
    this.#waiting.set(own, waiting);
    this.#channel.send(JSON.stringify({ ...message, id: own }), own, this.#headersFor(waiting.method, message.params));
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
    for (const id of this.#deciding) if (sameJson(id, params?.requestId)) this.#deciding.delete(id);
    const found = [...this.#waiting].find(([, { id, own }]) => !own && sameJson(id, params?.requestId));
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

  /** Never throws: a message that cannot be read or written fails its own request. */
  onFrame(frame: Frame): void {
    const text = frameText(frame);
    if (!isJson(text)) return; // no message, but something the server wrote beside them
    try {
      const value = parseExactly(text);
      for (const one of Array.isArray(value) ? value : [value]) if (isObject(one)) this.#pass(one);
    } catch (error) {
      const value: unknown = JSON.parse(text);
      for (const one of Array.isArray(value) ? value : [value])
        if (isObject(one)) this.onRefused(one.id as number, unreadableAnswer(this.#options.server, frame, error));
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
      if (message.method === 'notifications/tools/list_changed') this.#options.onToolsChanged();
      this.#options.note('server', message);
      return this.#say(message);
    }
    const id = Number(isRawNumber(message.id) ? message.id.rawJSON : message.id);
    const waiting = this.#waiting.get(id);
    if (!waiting) return; // late, or cancelled
    this.#learn(waiting.method, message.result);
    const answer = { ...message, id: waiting.id };
    if (!waiting.own) this.#options.note('server', answer);
    waiting.say(answer);
    // Only now: what could not be written is still to be answered.
    this.#waiting.delete(id);
    if (waiting.method === 'initialize') this.#release();
  }

  #release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const hear of held) hear();
  }

  /** What later requests have to say in headers. */
  #learn(method: string, result: unknown): void {
    const { protocolVersion, supportedVersions, tools } = (result ?? {}) as Record<string, unknown>;
    if (method === 'initialize' && typeof protocolVersion === 'string') this.#channel.agreed?.(protocolVersion);
    if (method === 'server/discover' && Array.isArray(supportedVersions))
      this.#channel.agreed?.(String(supportedVersions[0]));
    if (method !== 'tools/list' || !Array.isArray(tools)) return;
    this.#options.onTools(tools.flatMap(tool => (isObject(tool) && typeof tool.name === 'string' ? tool.name : [])));
    for (const tool of tools) {
      if (!isObject(tool)) continue;
      const found = headerArguments(tool.inputSchema);
      if (found.ok && found.declared.length > 0) this.#headerArguments.set(String(tool.name), found.declared);
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

/** As at an endpoint of the hub: an unknown name is a wrong parameter, any other refusal is for the model to read. */
function refusedCall(error: JunctorError): object {
  const { code, message, why } = error;
  if (code === 'tool_not_found') {
    const data = { code, ...(why === undefined ? {} : { why }) };
    return { error: { code: RPC_CODE.invalidParams, message, data } };
  }
  return { result: { content: [{ type: 'text', text: denialText(error) }], isError: true } };
}

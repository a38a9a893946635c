/** Records a server: speaks MCP for it with one client, and writes down what both say. */
import type { JunctorError } from '../base/error.ts';
import { Scope } from '../base/scope.ts';
import type { Host } from '../host.ts';
import { RecordingWriter } from './recording.ts';
import { RecordingLine } from './recording-line.ts';
import { type RpcLines, readRpcLines } from './rpc-lines.ts';

export interface RecordOptions extends RpcLines {
  readonly file: string;
}

export interface Recorded {
  readonly messages: number;
  /** Why the server ended before the client did. */
  readonly lost: JunctorError | undefined;
}

/** Ends when the client does, or when the server is gone. */
export async function recordServer(host: Host, server: string, { file, ...lines }: RecordOptions): Promise<Recorded> {
  const writer = await RecordingWriter.open(file, { server, mask: text => host.mask(text) });
  let lost: JunctorError | undefined;
  try {
    await using scope = new Scope();
    const over = new AbortController();
    let isOver = false;
    const channel = await host.links.line(server, scope);
    const line = new RecordingLine(channel, {
      server,
      note: (from, message) => writer.note(from, message),
      refusal: (tool, args) => refusalOf(host, server, tool, args),
      onClosed(error) {
        // Once the client has left, the server ends because we end it.
        if (!isOver) lost = error;
        over.abort();
      },
    });
    const signal = AbortSignal.any([lines.signal, over.signal]);
    await readRpcLines({ ...lines, signal }, (message, say) => line.hear(message, say));
    isOver = true;
  } finally {
    await writer.close();
  }
  return { messages: writer.messages, lost };
}

/** The client asks its own person; what the config forbids is forbidden here too. */
function refusalOf(host: Host, server: string, tool: string, args: unknown): string | undefined {
  if (!host.server(server)?.offers(tool)) return `The config leaves the tool '${tool}' out.`;
  const { effect, because } = host.judge(server, tool, args);
  return effect === 'deny' ? `The call of '${tool}' on server '${server}' was denied: ${because}.` : undefined;
}

/** What kubectl exec, attach and port-forward talk to: streams joined to a process, or to a port, of a pod. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Container } from './container.ts';
import { type SpdyStream, serveSpdy } from './spdy.ts';

/** Newest first: what kubectl and this cluster both know. */
const EXEC_PROTOCOLS = ['v4.channel.k8s.io'];
const FORWARD_PROTOCOL = 'portforward.k8s.io';

/** Says yes to an upgrade, and in which words the rest is spoken. */
function upgrade(request: IncomingMessage, socket: Duplex, known: readonly string[]): void {
  const offered = String(request.headers['x-stream-protocol-version'] ?? '').split(/, */);
  const chosen = known.find(protocol => offered.includes(protocol)) ?? known[0];
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: SPDY/3.1'];
  socket.write(`${[...lines, `X-Stream-Protocol-Version: ${chosen}`].join('\r\n')}\r\n\r\n`);
}

/** Runs a command in a container, or joins its first process where there is none. */
export function serveProcess(request: IncomingMessage, socket: Duplex, head: Buffer, container: Container): void {
  const wanted = new URL(request.url ?? '', 'http://cluster').searchParams;
  const on = (name: string): boolean => ['true', '1'].includes(wanted.get(name) ?? '');
  const expected = ['stdin', 'stdout', 'stderr'].filter(on).length + 1;
  const streams = new Map<string, SpdyStream>();
  upgrade(request, socket, EXEC_PROTOCOLS);
  serveSpdy(socket, head, stream => {
    streams.set(stream.headers.get('streamtype') ?? '', stream);
    if (streams.size < expected) return;
    const command = wanted.getAll('command');
    if (command.length === 0) void join(container.main, streams, socket);
    else void container.exec(command).then(child => join(child, streams, socket));
  });
}

async function join(child: ChildProcessWithoutNullStreams, streams: Map<string, SpdyStream>, socket: Duplex) {
  const [stdin, stdout, stderr] = ['stdin', 'stdout', 'stderr'].map(name => streams.get(name));
  stdin?.on('data', chunk => child.stdin.write(chunk));
  stdin?.on('end', () => child.stdin.end());
  const output = [
    [child.stdout, stdout],
    [child.stderr, stderr],
  ] as const;
  for (const [from, to] of output) from.on('data', chunk => to?.writable && to.write(chunk));
  // Nobody ends a program because the one who watched it left.
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  const code = child.exitCode ?? 137;
  for (const [, to] of output) to?.end();
  streams.get('error')?.end(JSON.stringify(code === 0 ? { status: 'Success' } : failure(code)));
  socket.end();
}

function failure(code: number): object {
  const details = { causes: [{ reason: 'ExitCode', message: String(code) }] };
  const message = `command terminated with non-zero exit code: exit status ${code}`;
  return { status: 'Failure', reason: 'NonZeroExitCode', message, details };
}

/** Every connection is two streams: one for what is said, one for what went wrong. */
export function servePorts(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const errors = new Map<string, SpdyStream>();
  upgrade(request, socket, [FORWARD_PROTOCOL]);
  serveSpdy(socket, head, stream => {
    const id = stream.headers.get('requestid') ?? '';
    if (stream.headers.get('streamtype') === 'error') return void errors.set(id, stream);
    const port = Number(stream.headers.get('port'));
    const inside = connect({ host: '127.0.0.1', port });
    inside.on('error', error => errors.get(id)?.end(`cannot reach port ${port} in the pod: ${error.message}`));
    inside.on('close', () => {
      if (!errors.get(id)?.writableEnded) errors.get(id)?.end();
      if (!stream.writableEnded) stream.end();
    });
    stream.pipe(inside);
    inside.on('data', chunk => stream.write(chunk));
    inside.on('end', () => stream.end());
    socket.on('close', () => inside.destroy());
  });
}

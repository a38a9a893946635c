/** A server as a child process: one JSON-RPC message a line on its stdin and stdout, its stderr kept for errors. */
import { JunctorError } from '../../base/error.ts';
import type { Scope } from '../../base/scope.ts';
import type { ResolvedServer, StdioEndpoint } from '../../resolve/roster.ts';
import type { Channel, ChannelListener } from '../channel.ts';
import { LineReader } from '../frame.ts';
import { type LaunchOptions, launch, type ServerProcess } from '../process/launch.ts';
import { Tail } from '../process/tail.ts';

const LAST_LINES = 8;

export async function openStdio(
  server: ResolvedServer,
  endpoint: StdioEndpoint,
  scope: Scope,
  options: LaunchOptions,
): Promise<Channel> {
  try {
    return new StdioChannel(server, await launch(endpoint, scope, options));
  } catch (error) {
    throw startFailure(server.id, endpoint, error as NodeJS.ErrnoException);
  }
}

class StdioChannel implements Channel {
  readonly #server: ResolvedServer;
  readonly #child: ServerProcess;
  readonly #stderr = new Tail();
  #outbox = '';

  constructor(server: ResolvedServer, child: ServerProcess) {
    this.#server = server;
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.#stderr.push(text));
  }

  listen(listener: ChannelListener): void {
    const reader = new LineReader(listener, this.#server.maxMessageBytes);
    this.#child.stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    // 'close' comes after the last byte of every pipe, so no answer and no last word is missed.
    this.#child.once('close', (code, signal) => listener.onClosed(this.#ended(code, signal)));
  }

  send(text: string): void {
    // All messages of one turn of the event loop leave in one system call. A turn, not a tick: requests that reach the hub on
    // many sockets come in ticks of their own, and writing is the dearest part of a small call.
    if (this.#outbox === '') setImmediate(this.#flush);
    this.#outbox += `${text}\n`;
  }

  lastWords(): string {
    return this.#stderr.lines(LAST_LINES);
  }

  readonly #flush = (): void => {
    const text = this.#outbox;
    this.#outbox = '';
    this.#child.stdin.write(text);
  };

  #ended(code: number | null, signal: NodeJS.Signals | null): JunctorError {
    const { id } = this.#server;
    const how = signal ? `was ended by ${signal}` : `exited with code ${code}`;
    const words = this.lastWords();
    return new JunctorError('connection_lost', `Server '${id}' ${how}.`, {
      server: id,
      why: words ? `its last lines on stderr:\n${words}` : 'it wrote nothing to stderr',
      hint: `junctor mcp tools ${id} --debug`,
    });
  }
}

function startFailure(id: string, endpoint: StdioEndpoint, error: NodeJS.ErrnoException): Error {
  const details = { server: id, cause: error };
  if (error.code === 'ENOENT' && endpoint.cwd !== undefined && error.path === endpoint.command) {
    return new JunctorError('command_not_found', `Server '${id}' could not be started.`, {
      ...details,
      why: `either the program '${endpoint.command}' or the directory '${endpoint.cwd}' does not exist`,
      hint: 'check command and cwd of this server',
    });
  }
  if (error.code === 'ENOENT') {
    return new JunctorError('command_not_found', `The program '${endpoint.command}' of server '${id}' was not found.`, {
      ...details,
      why: endpoint.command.includes('/') ? 'no such file' : 'it is not on PATH',
      hint: 'install it, or give its full path as command',
    });
  }
  return new JunctorError('connection_failed', `Server '${id}' could not be started.`, {
    ...details,
    why: error.message,
  });
}

/** The wire between a hub and its PostgreSQL, for tests of what goes wrong on it. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface PostgresWire extends AsyncDisposable {
  /** The database of this URL, by way of the wire. */
  through(url: string): string;
  /** The next change with calls in it is made, and the wire breaks before the hub is told. Resolves when that has happened. */
  loseAnswer(): Promise<void>;
  /** Nothing arrives any more, on either side, and nobody is told: as with a firewall that drops everything. */
  fallSilent(): void;
  /** What is sent from now on arrives. What was lost stays lost. */
  recover(): void;
  /** How often the hub asked for the rows of this table. */
  asked(table: string): number;
}

export async function layPostgresWire(): Promise<PostgresWire> {
  const sockets = new Set<Socket>();
  let port = 0;
  let silent = false;
  let losing: (() => void) | undefined;
  const tables = new Map<string, number>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket.on('error', () => {}));
    return socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer(near => {
    keep(near);
    // One that is opened into the silence gets no further than this.
    if (silent) return void near.resume();
    const far = keep(connect(port, '127.0.0.1'));
    let said = '';
    near.on('data', bytes => {
      if (silent) return;
      const text = bytes.toString('latin1');
      for (const [, table = ''] of text.matchAll(/from "(\w+)"/g)) tables.set(table, (tables.get(table) ?? 0) + 1);
      said = `${said}${text}`.slice(-100_000);
      far.write(bytes);
    });
    far.on('data', bytes => {
      if (silent) return;
      const lost = losing !== undefined && /insert into "calls".*commit\0$/s.test(said);
      // The next change is another matter.
      if (said.endsWith('commit\0')) said = '';
      if (!lost) return void near.write(bytes);
      losing?.();
      losing = undefined;
      near.destroy();
      far.destroy();
    });
    near.on('close', () => silent || far.destroy());
    far.on('close', () => silent || near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    through(url) {
      const there = new URL(url);
      port = Number(there.port);
      there.port = String((server.address() as { port: number }).port);
      return there.href;
    },
    loseAnswer: () => new Promise(resolve => (losing = resolve)),
    fallSilent() {
      silent = true;
    },
    recover() {
      silent = false;
    },
    asked: table => tables.get(table) ?? 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

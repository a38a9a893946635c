/** One address before several hubs: each connection goes to the first of them that takes it. */
import { connect, createServer, type Socket } from 'node:net';

export interface Balancer extends AsyncDisposable {
  readonly url: string;
}

export async function startBalancer(targets: readonly string[]): Promise<Balancer> {
  const open = new Set<Socket>();
  const server = createServer(client => {
    open.add(client);
    client.on('error', () => {});
    client.on('close', () => open.delete(client));
    reach(targets, target => {
      if (!target) return client.destroy();
      target.on('error', () => client.destroy());
      target.on('close', () => client.destroy());
      client.on('close', () => target.destroy());
      client.pipe(target).pipe(client);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

function reach([first, ...others]: readonly string[], found: (target: Socket | undefined) => void): void {
  if (first === undefined) return found(undefined);
  const socket = connect(Number(new URL(first).port), '127.0.0.1');
  const missed = (): void => reach(others, found);
  socket.once('error', missed);
  socket.once('connect', () => {
    socket.off('error', missed);
    found(socket);
  });
}

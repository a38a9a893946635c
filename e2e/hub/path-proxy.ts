/** A proxy that serves a hub below a path of its own, and takes that path away or passes it on. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PathProxy extends AsyncDisposable {
  /** With the path. */
  readonly url: string;
  /** The hub behind it, once it runs. */
  target: string;
}

export async function startPathProxy(path: string, { strips }: { readonly strips: boolean }): Promise<PathProxy> {
  const server = createServer((asked, answer) => {
    const inside = (asked.url ?? '').slice(path.length);
    if (!asked.url?.startsWith(path)) return void answer.writeHead(404).end();
    const onward = strips ? inside || '/' : asked.url;
    const passed = request(`${proxy.target}${onward}`, { method: asked.method, headers: asked.headers, agent: false });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    passed.on('response', came => {
      answer.writeHead(came.statusCode ?? 502, came.headers);
      answer.flushHeaders();
      came.pipe(answer);
    });
    asked.pipe(passed);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: PathProxy = {
    url: `http://127.0.0.1:${port}${path}`,
    target: '',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
  return proxy;
}

/** A misbehaving HTTP server on a free port of this machine, and what it was sent. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface MisbehavingHttp extends AsyncDisposable {
  readonly origin: string;
  readonly url: string;
  readonly seen: readonly SeenRequest[];
}

export async function serveMisbehaving(listener: RequestListener): Promise<MisbehavingHttp> {
  const seen: SeenRequest[] = [];
  const http = createServer((request, response) => {
    seen.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    listener(request, response);
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as { port: number };
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    url: `${origin}/mcp`,
    seen,
    async [Symbol.asyncDispose]() {
      await new Promise(resolve => http.close(resolve).closeAllConnections());
    },
  };
}

import { JunctorError } from '@junctor/core/light';
import {
  type HttpTestServer,
  serveHttp,
  serveSse,
  serveStdio,
  serveWs,
  type TestServerOptions,
} from '@junctor/testkit/test-server';
import { defineCommand } from '../command.ts';

const DEFAULT_PORT = 8888;

export const testServer = defineCommand({
  options: {
    stdio: { help: 'speak on stdin and stdout' },
    http: {
      value: 'PORT',
      help: `serve Streamable HTTP on this port (default without --stdio: ${DEFAULT_PORT}; 0: a free one)`,
    },
    sse: { value: 'PORT', help: 'serve the older HTTP+SSE transport on this port' },
    ws: { value: 'PORT', help: 'serve WebSocket on this port' },
    tools: { value: 'N', help: 'offer at least this many tools' },
    'page-size': { value: 'N', help: 'list the tools in pages of this size' },
    delay: { value: 'MS', help: 'answer initialize only after this long' },
  },
  details: 'example: junctor mcp add demo --command npx --arg junctor --arg test-server --arg=--stdio',
  async run(context, { options }) {
    const settings = {
      tools: numberFrom('tools', options.tools),
      pageSize: numberFrom('page-size', options['page-size']),
      delayMs: numberFrom('delay', options.delay),
    };
    if (options.stdio) {
      await serveStdio(settings);
      return;
    }
    const server = await start(options, settings);
    context.answer({ json: { url: server.url }, text: server.url });
    await new Promise<void>(resolve => context.signal.addEventListener('abort', () => resolve()));
    await server.close();
  },
});

interface Ports {
  readonly http: string | undefined;
  readonly sse: string | undefined;
  readonly ws: string | undefined;
}

async function start(ports: Ports, settings: TestServerOptions): Promise<HttpTestServer> {
  const ways = [
    { port: ports.sse, name: 'sse', serve: serveSse },
    { port: ports.ws, name: 'ws', serve: serveWs },
  ];
  const chosen = ways.find(({ port }) => port !== undefined) ?? { port: ports.http, name: 'http', serve: serveHttp };
  const port = numberFrom(chosen.name, chosen.port) ?? DEFAULT_PORT;
  return chosen.serve(port, settings).catch(error => {
    throw portTaken(error as NodeJS.ErrnoException, chosen.name, port);
  });
}

function numberFrom(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0) return number;
  throw new JunctorError('usage', `--${name} needs a whole number, not '${text}'.`);
}

function portTaken(error: NodeJS.ErrnoException, way: string, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error;
  return new JunctorError('port_in_use', `Port ${port} is in use by another program.`, {
    hint: `choose another with --${way} PORT; 0 takes a free one`,
  });
}

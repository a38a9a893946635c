/** The port of a server that Junctor starts behind a URL: `${PORT}` in its definition stands for one that is free. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { PORT_REFERENCE } from '../../config/variables.ts';
import type { RemoteEndpoint } from '../../resolve/roster.ts';
import type { Program } from './find-command.ts';

export interface PlacedServer {
  readonly endpoint: RemoteEndpoint;
  readonly program: Program;
}

/** A port in the server's own `env` is the person's choice; otherwise each start gets another one. */
export async function withPort({ endpoint, program }: PlacedServer): Promise<PlacedServer> {
  const texts = [endpoint.url, ...program.args, ...Object.values(program.env)];
  if (!texts.some(text => text.includes(PORT_REFERENCE))) return { endpoint, program };
  const chosen = program.env.PORT;
  const port = chosen === undefined || chosen.includes(PORT_REFERENCE) ? String(await freePort()) : chosen;
  const fill = (text: string): string => text.replaceAll(PORT_REFERENCE, () => port);
  const env = Object.fromEntries(Object.entries(program.env).map(([name, value]) => [name, fill(value)]));
  return {
    endpoint: { ...endpoint, url: fill(endpoint.url) },
    // Most servers that can be told their port read this variable.
    program: { ...program, args: program.args.map(fill), env: { PORT: port, ...env } },
  };
}

/** Free now: whoever is faster may take it before the program does, and then the program says so and is started again. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

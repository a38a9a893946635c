import { JunctorError } from '@junctor/core/light';
import {
  type Era,
  type HttpTestServer,
  serveHttp,
  serveSse,
  serveStdio,
  serveWs,
  type TestServerOptions,
} from '@junctor/testkit/test-server';
import { defineCommand } from '../command.ts';

const DEFAULT_PORT = 8888;

const DETAILS = `what it offers
  answers    echo fail slow json_response big pid state
  questions  ask_person ask_url ask_model show_roots: a person, a page, the client's model, its folders
  content    image audio log task_slow: pictures, sounds, log lines, tasks
  changes    add_tool remove_tool add_prompt add_resource update_resource: each is announced
  resources  demo://greeting demo://picture demo://note demo://ask-first demo://people/{name}
  prompts    greet summarise_note introduce

It listens on this machine only, and refuses requests that come under another name.

example: junctor mcp add demo --command npx --arg junctor --arg test-server --arg=--stdio`;

export const testServer = defineCommand({
  options: {
    stdio: { help: 'speak on stdin and stdout' },
    http: {
      value: 'PORT',
      help: `serve Streamable HTTP on this port (default without --stdio: ${DEFAULT_PORT}; 0: a free one)`,
    },
    sse: { value: 'PORT', help: 'serve the older HTTP+SSE transport on this port' },
    ws: { value: 'PORT', help: 'serve WebSocket on this port' },
    era: { value: 'ERA', help: 'speak only legacy (up to 2025-11-25) or modern (2026-07-28) MCP (default: both)' },
    tools: { value: 'N', help: 'offer at least this many tools' },
    'page-size': { value: 'N', help: 'list tools, resources and prompts in pages of this size' },
    delay: { value: 'MS', help: 'answer initialize and server/discover only after this long' },
    'list-ttl': { value: 'MS', help: 'let modern clients keep lists for this long (default: 60000)' },
    fixtures: { help: 'also offer what the MCP conformance suite calls: tools, resources and prompts named test…' },
    'sandbox-state': { help: 'take codex/sandbox-state/update, and show the last state with the tool sandbox_state' },
  },
  details: DETAILS,
  async run(context, { options }) {
    const settings = {
      era: eraFrom(options.era),
      tools: numberFrom('tools', options.tools),
      pageSize: numberFrom('page-size', options['page-size']),
      delayMs: numberFrom('delay', options.delay),
      listTtlMs: numberFrom('list-ttl', options['list-ttl']),
      fixtures: options.fixtures,
      sandboxState: options['sandbox-state'],
    };
    if (options.sse !== undefined && settings.era === 'modern') {
      throw new JunctorError('usage', 'The SSE transport has no modern era.', { hint: 'use --http, --ws or --stdio' });
    }
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

const ERAS: readonly (Era | 'both')[] = ['legacy', 'modern', 'both'];

function eraFrom(text: string | undefined): Era | 'both' | undefined {
  if (text === undefined) return undefined;
  const era = ERAS.find(known => known === text);
  if (era) return era;
  throw new JunctorError('usage', `--era knows legacy, modern and both, not '${text}'.`);
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

import { JunctorError } from '@junctor/core/light';
import {
  type HttpTestServer,
  serveHttp,
  serveSse,
  serveStdio,
  serveWs,
  type TestServerOptions,
} from '@junctor/testkit/test-server';
import { oneOf } from '../choice.ts';
import { defineCommand } from '../command.ts';
import { interrupted } from '../interrupted.ts';
import { portNumber, portTaken, wholeNumber } from '../number-option.ts';

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
      era: options.era === undefined ? undefined : oneOf('era', options.era, ERAS),
      tools: wholeNumber('tools', options.tools, { from: 0 }),
      pageSize: wholeNumber('page-size', options['page-size'], { from: 0 }),
      delayMs: wholeNumber('delay', options.delay, { from: 0 }),
      listTtlMs: wholeNumber('list-ttl', options['list-ttl'], { from: 0 }),
      fixtures: options.fixtures,
      sandboxState: options['sandbox-state'],
    };
    if (options.sse !== undefined && settings.era === 'modern') {
      throw new JunctorError('usage', 'The SSE transport has no modern era.', { hint: 'use --http, --ws or --stdio' });
    }
    if (options.stdio) {
      await serveStdio(settings, context.signal);
      return;
    }
    const server = await start(options, settings);
    context.answer({ json: { url: server.url }, text: server.url });
    await interrupted(context.signal);
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
  const port = portNumber(chosen.name, chosen.port) ?? DEFAULT_PORT;
  return chosen.serve(port, settings).catch(error => {
    throw portTaken(error as NodeJS.ErrnoException, chosen.name, port);
  });
}

const ERAS = ['legacy', 'modern', 'both'] as const;

/** Where the conformance suite knocks: it sends no token, and knows one server by the server's own names. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import type { RunningHub } from '@junctor/testkit';

export interface SuiteGate extends AsyncDisposable {
  readonly url: string;
}

/** What the suite says and reads, in the names of an agent endpoint that has only this server. */
class PublicNames {
  readonly #prefix: string;
  readonly #uri: string;

  constructor(server: string) {
    this.#prefix = `${server}_`;
    this.#uri = `junctor://${server}/`;
  }

  /** What `Mcp-Name` says. */
  name(name: string): string {
    return /^[\w-]+$/.test(name) ? `${this.#prefix}${name}` : this.uri(name);
  }

  uri(uri: string): string {
    return `${this.#uri}${uri}`;
  }

  request(body: string): string {
    const { params, ...message } = JSON.parse(body);
    if (params === undefined) return body;
    const { method } = message as { method?: string };
    if (method === 'tools/call' || method === 'prompts/get') params.name = this.name(params.name);
    if (method?.startsWith('resources/') && params.uri) params.uri = this.uri(params.uri);
    if (params.ref?.name) params.ref.name = this.name(params.ref.name);
    if (params.ref?.uri) params.ref.uri = this.uri(params.ref.uri);
    const { resourceSubscriptions } = params.notifications ?? {};
    if (resourceSubscriptions)
      params.notifications.resourceSubscriptions = resourceSubscriptions.map((uri: string) => this.uri(uri));
    return JSON.stringify({ ...message, params });
  }

  response(text: string): string {
    return text.replaceAll(`"name":"${this.#prefix}`, '"name":"').replaceAll(this.#uri, '');
  }
}

/** `server`: the path is that of an agent endpoint with this one server. */
export async function suiteGate(hub: RunningHub, path: string, server?: string): Promise<SuiteGate> {
  const names = server === undefined ? undefined : new PublicNames(server);
  const gate: Server = createServer((from, to) => void carry(hub, path, names, from, to).catch(() => to.destroy()));
  await new Promise<void>(resolve => gate.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(gate.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      gate.closeAllConnections();
      await new Promise(resolve => gate.close(resolve));
    },
  };
}

async function carry(
  hub: RunningHub,
  path: string,
  names: PublicNames | undefined,
  from: IncomingMessage,
  to: ServerResponse,
): Promise<void> {
  const { port } = new URL(hub.url);
  const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = from.headers;
  const given = Buffer.concat(await from.toArray()).toString('utf8');
  const body = names && from.method === 'POST' ? renamed(names, given) : given;
  const name = headers['mcp-name'];
  const method = headers['mcp-method'];
  // The name of a task is not that of a tool.
  if (names && typeof name === 'string' && !String(method).startsWith('tasks/')) headers['mcp-name'] = names.name(name);
  const options = { host: '127.0.0.1', port, path, method: from.method };
  const sent = { ...headers, authorization: `Bearer ${hub.token}`, ...lengthOf(body) };
  const passed = request({ ...options, headers: sent }, response => {
    const { 'content-length': _sized, ...told } = response.headers;
    to.writeHead(response.statusCode ?? 502, names ? told : response.headers);
    to.flushHeaders();
    response.on('error', () => to.destroy());
    if (names) rename(names, response, to);
    else response.pipe(to);
  });
  passed.on('error', () => to.destroy());
  to.on('close', () => passed.destroy());
  passed.end(body);
}

function lengthOf(body: string): { readonly 'content-length'?: number } {
  return body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
}

/** What is no JSON passes as it is: the suite sends such things too. */
function renamed(names: PublicNames, body: string): string {
  try {
    return names.request(body);
  } catch {
    return body;
  }
}

/** Line by line: a name may be cut in two by the network, and no line of an event is. */
function rename(names: PublicNames, response: IncomingMessage, to: ServerResponse): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  response.on('data', (piece: Buffer) => {
    const lines = (rest + decoder.write(piece)).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) to.write(`${lines.map(line => names.response(line)).join('\n')}\n`);
  });
  response.on('end', () => to.end(names.response(rest)));
}

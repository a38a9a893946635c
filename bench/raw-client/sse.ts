/** A client on the older HTTP+SSE transport, for peers that serve only that: answers come on one long GET stream. */
import { Agent, get, request as httpRequest } from 'node:http';
import { INITIALIZE, INITIALIZED, type Message, type RawClient, Waiting } from './json-rpc.ts';
import { cutLines, joined } from './lines.ts';

export async function openSse(url: string): Promise<RawClient> {
  const { hostname, port, pathname } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  const waiting = new Waiting();
  const endpoint = Promise.withResolvers<string>();
  let event = '';
  const readLine = (line: string) => {
    if (line.startsWith('event:')) event = line.slice('event:'.length).trim();
    if (!line.startsWith('data:')) return;
    const data = line.slice('data:'.length);
    if (event === 'endpoint') endpoint.resolve(data.trim());
    else waiting.settle(JSON.parse(data) as Message);
  };
  const options = { host: hostname, port, path: pathname, agent: false, headers: { accept: 'text/event-stream' } };
  const stream = get(options, response => {
    if ((response.statusCode ?? 0) >= 400) endpoint.reject(new Error(`HTTP ${response.statusCode}`));
    response.on(
      'data',
      cutLines(line => readLine(joined(line))),
    );
    response.on('error', () => {});
    response.on('close', () => waiting.failAll('the stream closed'));
  });
  stream.on('error', endpoint.reject);
  const path = await endpoint.promise;

  function post(message: object): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const body = JSON.stringify(message);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = httpRequest({ host: hostname, port, path, method: 'POST', agent, headers }, response => {
      response.resume();
      response.on('end', resolve);
    });
    request.on('error', reject);
    request.end(body);
    return promise;
  }

  const request = (method: string, params: object) =>
    waiting.ask(method, params, message => void post(message).catch(error => waiting.failAll(String(error))));
  await request('initialize', INITIALIZE);
  await post(INITIALIZED);
  return {
    request,
    async close() {
      stream.destroy();
      agent.destroy();
    },
  };
}

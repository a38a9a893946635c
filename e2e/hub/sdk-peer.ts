/** A client of either era, made with the official SDK, that answers whatever servers ask and keeps what it hears. */
import type { RunningHub } from '@junctor/testkit';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { settledBehind } from './settled.ts';

export type Era = 'legacy' | 'modern';

export interface Peer extends AsyncDisposable {
  readonly client: Client;
  /** The methods of what it was asked, and what it was told. */
  readonly asked: string[];
  readonly heard: { readonly method: string; readonly params: unknown }[];
}

export interface PeerOptions {
  readonly era: Era;
  readonly name?: string;
  /** Whose token it shows. Default: that of the person who runs the hub. */
  readonly token?: string;
  /** What it says when it is asked, in place of its name; given the words it is asked with. */
  readonly elicit?: (message: string) => Promise<Elicited> | Elicited;
}

export type Elicited = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> };

/** `name` is in everything it answers, so that answers can be told apart. */
export async function sdkPeer(
  hub: Pick<RunningHub, 'url' | 'token' | 'fetch'>,
  path: string,
  { era, name = 'Ada', token = hub.token, elicit }: PeerOptions,
): Promise<Peer> {
  await settledBehind(hub, path);
  const client = new Client(
    { name: `peer-${name}`, version: '1' },
    {
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } },
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    },
  );
  const asked: string[] = [];
  const heard: Peer['heard'] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push('elicitation/create');
    if (elicit) return await elicit(params.message);
    return { action: 'accept', content: { name, colour: 'blue' } };
  });
  client.setRequestHandler('sampling/createMessage', () => {
    asked.push('sampling/createMessage');
    return { role: 'assistant', content: { type: 'text', text: `${name} says hello` }, model: 'scripted' };
  });
  client.setRequestHandler('roots/list', () => {
    asked.push('roots/list');
    return { roots: [{ uri: `file:///home/${name}` }] };
  });
  for (const method of NEWS) client.setNotificationHandler(method, ({ params }) => void heard.push({ method, params }));
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}${path}`), { requestInit }));
  return { client, asked, heard, [Symbol.asyncDispose]: () => client.close() };
}

const NEWS = [
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/message',
] as const;

/** The physical floor: raw JSON lines and raw node:http, nothing validated, nothing looked up. */

import { openHttp } from '../raw-client/http.ts';
import { listTools, type RawClient } from '../raw-client/json-rpc.ts';
import { openStdio } from '../raw-client/stdio.ts';
import { type Connection, isHttp, type Library, textOf } from './contestant.ts';

export const floor: Library = {
  name: 'floor',
  async connect(upstreams) {
    const clients = await Promise.all(
      upstreams.map(upstream =>
        isHttp(upstream) ? openHttp(upstream.url) : openStdio(upstream.command, upstream.args),
      ),
    );
    return asConnection(clients);
  },
};

function asConnection(clients: readonly RawClient[]): Connection {
  const [first] = clients;
  if (!first) throw new Error('the floor needs a server');
  return {
    list: async () => (await Promise.all(clients.map(listTools))).flat(),
    call: async (name, args) => textOf(await first.request('tools/call', { name, arguments: args })),
    close: () => Promise.all(clients.map(client => client.close())),
  };
}

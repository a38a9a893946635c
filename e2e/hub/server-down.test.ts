/** At an agent's endpoint a call of a tool whose server is down gets the reason of that server. */
import { makeHome, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { RawClient } from './rpc.ts';

promise('10.1g', 'a call of a tool whose server cannot be reached names the reason, not an unknown tool', async () => {
  await using home = await makeHome();
  const config = {
    servers: {
      down: { transport: 'http', url: 'http://127.0.0.1:9/mcp' },
      hidden: { transport: 'http', url: 'http://127.0.0.1:9/mcp' },
      fine: trusted(testServer()),
    },
    agents: { codex: { servers: ['down', 'fine'] } },
    health: { reconnect_attempts: 0 },
  };
  await using hub = await startHub(home, config);
  const client = await RawClient.open(hub, '/mcp/codex');
  const answer = async (name: string) => {
    const [message] = await client.call(name, name, { text: 'x' });
    return message?.result ?? message?.error;
  };
  expect(await answer('down_echo')).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("Server 'down' could not be reached at http://127.0.0.1:9.") }],
  });
  expect(await answer('fine_nothing')).toMatchObject({ code: -32602, message: "There is no tool 'fine_nothing'." });
  // A server that this agent does not get is not spoken of.
  expect(await answer('hidden_echo')).toMatchObject({ code: -32602, message: "There is no tool 'hidden_echo'." });
});

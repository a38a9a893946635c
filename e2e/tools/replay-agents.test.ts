import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeHome, promise, testServer } from '@junctor/testkit';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect } from 'vitest';
import { obligingClient } from '../command-line/sdk-client.ts';
import { command, recorder } from './tape.ts';

describe.each(['legacy', 'modern'] as const)('an agent of the %s era', era => {
  promise(['7.14b', '7.14c'], 'that stands on the official SDK meets the same server in the recording', async () => {
    await using home = await makeHome();
    const { file, server } = await recorder(home, { demo: testServer() }, 'demo');
    const session = async ({ command: program, args }: { command: string; args: readonly string[] }) => {
      const client = obligingClient(era);
      const transport = new StdioClientTransport({
        command: program,
        args: [...args],
        env: home.env,
        cwd: home.project,
      });
      await client.connect(transport);
      try {
        const call = (name: string, given: Record<string, unknown> = {}) => client.callTool({ name, arguments: given });
        const { tools } = await client.listTools();
        const answers = [
          await call('echo', { text: 'hi' }),
          await call('ask_person'),
          await call('ask_model'),
          await call('fail'),
        ];
        const { contents } = await client.readResource({ uri: 'demo://greeting' });
        return { tools, answers, contents, info: client.getServerVersion() };
      } finally {
        await client.close();
      }
    };
    const live = await session(server);
    expect(live.answers[1]?.content).toEqual([{ type: 'text', text: expect.stringContaining('Ada') }]);
    await rm(join(home.path, 'servers.json'));
    expect(await session(command(home, 'replay', file))).toEqual(live);
  });
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  everything,
  filesystem,
  makeHome,
  promise,
  ROOT,
  type RunningHub,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect } from 'vitest';
import { settled } from './settled.ts';

const requestInit = { headers: {} };

async function withHub(run: (hub: RunningHub, files: string) => Promise<void>): Promise<void> {
  await using home = await makeHome();
  await home.write('project/hello.txt', 'hello from a file');
  await using hub = await startHub(home, {
    version: 1,
    servers: {
      every: trusted(everything()),
      files: trusted(filesystem(home.project)),
      demo: trusted(testServer()),
    },
  });
  await settled(hub);
  requestInit.headers = { authorization: `Bearer ${hub.token}` };
  await run(hub, home.project);
}

/** What the three clients have in common. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<{ content?: unknown }>;
  close(): Promise<void>;
}

async function throughBothDoors(connect: (url: URL) => Promise<AnyClient>): Promise<void> {
  await withHub(async (hub, files) => {
    const agent = await connect(new URL(`${hub.url}/mcp/claude-code`));
    const names = (await agent.listTools()).tools.map(tool => tool.name);
    expect(names).toEqual(expect.arrayContaining(['every_echo', 'files_read_text_file', 'demo_json_response']));
    expect(await agent.callTool({ name: 'every_echo', arguments: { message: 'ünï' } })).toMatchObject({
      content: [{ type: 'text', text: 'Echo: ünï' }],
    });
    const path = join(files, 'hello.txt');
    expect(await agent.callTool({ name: 'files_read_text_file', arguments: { path } })).toMatchObject({
      content: [{ type: 'text', text: 'hello from a file' }],
    });
    await agent.close();
    const single = await connect(new URL(`${hub.url}/servers/demo/mcp`));
    expect((await single.listTools()).tools.map(tool => tool.name)).toContain('json_response');
    expect(await single.callTool({ name: 'json_response', arguments: {} })).toMatchObject({
      structuredContent: { ok: true, items: [1, 2, 3] },
    });
    await single.close();
  });
}

describe('through the hub', () => {
  promise(['5.6a', '5.6b', '3.1i', '8.23d', '9.6e'], 'the SDK v2 client lists and calls real servers', () =>
    throughBothDoors(async url => {
      const client = new ClientV2({ name: 'test', version: '1' });
      await client.connect(new TransportV2(url, { requestInit }));
      return client as AnyClient;
    }),
  );

  promise('5.6a', 'the SDK v2 client that prefers 2026-07-28 is spoken to in it', () =>
    throughBothDoors(async url => {
      const client = new ClientV2({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(new TransportV2(url, { requestInit }));
      expect(client.getProtocolEra()).toBe('modern');
      return client as AnyClient;
    }),
  );

  promise('5.6a', 'the SDK v1 client lists and calls real servers', () =>
    throughBothDoors(async url => {
      const client = new ClientV1({ name: 'test', version: '1' });
      await client.connect(new TransportV1(url, { requestInit }) as never);
      return client as AnyClient;
    }),
  );

  promise('5.6a', 'the MCP Inspector lists and calls', async () => {
    const inspector = join(ROOT, 'node_modules', '.bin', 'mcp-inspector');
    await withHub(async hub => {
      const inspect = async (...words: string[]) => {
        const target = [
          '--cli',
          `${hub.url}/mcp/default`,
          '--transport',
          'http',
          '--header',
          `Authorization: Bearer ${hub.token}`,
        ];
        const { stdout } = await promisify(execFile)(process.execPath, [inspector, ...target, ...words]);
        return JSON.parse(stdout);
      };
      const { tools } = await inspect('--method', 'tools/list');
      expect(tools.map((tool: { name: string }) => tool.name)).toContain('demo_echo');
      const called = await inspect(
        '--method',
        'tools/call',
        '--tool-name',
        'demo_echo',
        '--tool-arg',
        'text=inspected',
      );
      expect(called.content).toEqual([{ type: 'text', text: 'inspected' }]);
    });
  });
});

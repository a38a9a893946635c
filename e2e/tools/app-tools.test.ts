/** Tools that a server offers to its own user interface: never to a model, always to a client that shows the interface. */
import { aiTools } from '@junctor/adapters/ai-sdk';
import { openaiTools } from '@junctor/adapters/openai';
import { junctor, makeHome, promise, startHub, trusted } from '@junctor/testkit';
import { startModel } from '@junctor/testkit/model';
import { describe, expect } from 'vitest';
import { RawClient } from '../hub/rpc.ts';
import { hostListing, listing, tool } from './listing.ts';

const visible = (...visibility: string[]) => ({ _meta: { ui: { visibility } } });
const TOOLS = [
  tool('refresh_page', { description: 'Refreshes the page.', ...visible('app') }),
  tool('show_page', { description: 'Shows the page.', ...visible('model', 'app') }),
  tool('plain'),
];
const UI = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };

describe('a tool for apps only', () => {
  promise('10.1l', 'is in no list for models, and a program can list and call it', async () => {
    await using home = await makeHome();
    await using host = await hostListing(home, { ui: TOOLS });
    const names = async (view = {}) => (await host.tools(view)).map(({ tool: own }) => own).sort();
    expect(await names()).toEqual(['plain', 'show_page']);
    expect(await names({ model: 'openai' })).toEqual(['plain', 'show_page']);
    expect(await names({ apps: true })).toEqual(['plain', 'refresh_page', 'show_page']);
    expect((await host.call('mcp__ui__refresh_page')).output).toBe('["refresh_page",{}]');
    const { output } = await host.call('find_tools', { query: 'page' });
    expect(output).toContain('mcp__ui__show_page');
    expect(output).not.toContain('refresh_page');
    expect(Object.keys((await aiTools(host)).tools)).not.toContain('mcp__ui__refresh_page');
    expect(JSON.stringify((await openaiTools(host)).tools)).not.toContain('refresh_page');
  });

  promise('10.1m', 'is not sent to the model of a chat', async () => {
    await using home = await makeHome();
    const servers = { ui: trusted(await listing(home, 'ui', TOOLS)) };
    await home.write('config/junctor/config.json', { version: 1, servers });
    await using model = await startModel([{ text: 'Done.' }]);
    await junctor(home, ['chat', '--base-url', model.url, '--model', 'scripted', '-p', 'hello']);
    const sent = JSON.stringify(model.requests[0]?.body);
    expect(sent).toContain('mcp__ui__show_page');
    expect(sent).not.toContain('refresh_page');
  });

  promise('10.1n', 'is listed at the hub to clients that show user interfaces, and to no other', async () => {
    await using home = await makeHome();
    const servers = { ui: trusted(await listing(home, 'ui', TOOLS)) };
    await using hub = await startHub(home, { version: 1, servers });
    for (const [path, prefix] of [
      ['/mcp/codex', 'ui_'],
      ['/servers/ui/mcp', ''],
    ] as const) {
      const [plain, showing] = [
        await RawClient.open(hub, path),
        await RawClient.open(hub, path, { name: 'raw', version: '1' }, UI),
      ];
      const listed = async (client: RawClient) => {
        const [answer] = await client.messages({ id: 'list', method: 'tools/list', params: {} });
        const { tools = [] } = (answer?.result ?? {}) as { tools?: { name: string }[] };
        return tools.map(({ name }) => name).sort();
      };
      expect([path, await listed(plain)]).toEqual([path, [`${prefix}plain`, `${prefix}show_page`]]);
      expect([path, await listed(showing)]).toEqual([
        path,
        [`${prefix}plain`, `${prefix}refresh_page`, `${prefix}show_page`],
      ]);
      const [ran] = await showing.call('ran', `${prefix}refresh_page`, {});
      expect(ran?.result).toMatchObject({ content: [{ text: '["refresh_page",{}]' }] });
    }
    const model = await RawClient.open(hub, '/mcp/codex');
    const [refused] = await model.call('refused', 'ui_refresh_page', {});
    expect(refused?.error).toMatchObject({ message: "There is no tool 'ui_refresh_page'." });
  });
});

/** A hub as it is after some work: servers in every state, agents that called, a call that waits, a token, a secret. */
import { type RunningHub, testServer, trusted } from '@junctor/testkit';
import { type Authority, startAuthority } from '@junctor/testkit/authority';
import { answer, waiting } from '../hub/asking.ts';
import { rest } from '../hub/rest-client.ts';
import { RawClient } from '../hub/rpc.ts';

export interface Furnished extends AsyncDisposable {
  readonly config: object;
  furnish(hub: RunningHub): Promise<void>;
  /** Answers the call that waits: a hub that is closed would let it wait for a while. */
  settle(hub: RunningHub): Promise<void>;
}

export async function furnished(): Promise<Furnished> {
  const authority: Authority = await startAuthority();
  let asked: Promise<unknown> = Promise.resolve();
  return {
    config: {
      version: 1,
      servers: {
        demo: trusted(testServer()),
        guarded: { transport: 'http', url: authority.mcpUrl },
        broken: { transport: 'stdio', command: '/nowhere/at-all', trust: 'trusted' },
        off: { ...testServer(), enabled: false },
      },
      agents: { 'claude-code': { enabled: true } },
      permissions: { ask: ['mcp__demo__add_prompt'] },
      results: { max_output_tokens: 20_000 },
    },
    async furnish(hub) {
      await rest(hub, '/api/tokens', { method: 'POST', body: { agent: 'codex', name: 'laptop' } });
      await rest(hub, '/api/secrets/api-key', { method: 'PUT', body: { value: 'hush-0123456789' } });
      const codex = await RawClient.open(hub, '/mcp/codex');
      await codex.call(1, 'demo_echo', { text: 'hello' });
      await codex.call(2, 'demo_fail', {});
      const claude = await RawClient.open(hub, '/mcp/claude-code');
      asked = claude.call(1, 'demo_add_prompt', { name: 'review' }).catch(() => {});
      await waiting(hub);
    },
    async settle(hub) {
      for (const { id } of await waiting(hub)) await answer(hub, id, { answer: 'deny' });
      await asked;
    },
    async [Symbol.asyncDispose]() {
      await authority[Symbol.asyncDispose]();
    },
  };
}

/** Every place of the page there is, with the words of its first heading. */
export const PLACES: Readonly<Record<string, string>> = {
  overview: 'Overview',
  servers: 'Servers',
  'servers/demo': 'demo',
  'servers/broken': 'broken',
  'servers/guarded': 'guarded',
  tools: 'Tools',
  'tools/demo_echo': 'echo',
  agents: 'Agents',
  'agents/codex': 'codex',
  executors: 'Executors',
  approvals: 'Approvals',
  activity: 'Activity',
  'settings/hub': 'Settings',
  'settings/files': 'Settings',
  'settings/limits': 'Settings',
  'settings/tokens': 'Settings',
  'settings/secrets': 'Settings',
};

/** The views within those places. Where a button leads to one, it is named after a `?`. */
export const VIEWS: Readonly<Record<string, string>> = {
  'servers/+add/form': 'Add servers',
  'servers/+add/paste': 'Add servers',
  'servers/+add/find': 'Add servers',
  'servers/demo/edit': 'demo',
  'servers/demo/edit?JSON': 'demo',
  'servers/demo/check?Check now': 'demo',
  'servers/demo/traffic': 'demo',
  'agents/codex?JSON': 'codex',
};

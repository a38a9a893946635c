/** Sessions of agents that run somewhere else, at a hub on this machine. */
import { type Home, junctor, type RunningHub } from '@junctor/testkit';
import { expect } from 'vitest';
import { RawClient } from '../hub/rpc.ts';

export interface SessionThere {
  /** What a tool says, joined to one text. */
  call(tool: string, args?: object): Promise<string>;
  end(): Promise<void>;
}

/** A client of an agent on this executor, with a token that says so. */
export async function sessionOn(home: Home, hub: RunningHub, executor: string, agent = 'codex'): Promise<SessionThere> {
  const token = await tokenOn(home, executor, agent);
  const path = `/mcp/${agent}`;
  const client = await RawClient.openFirst({ fetch: (to, init) => hub.fetch(to, { ...init, token }) }, path);
  const listed = async (): Promise<string> =>
    JSON.stringify(await client.messages({ id: 'list', method: 'tools/list' }));
  return {
    async call(tool, args = {}) {
      // A server over there may take longer to start than a list is kept waiting.
      await expect.poll(listed, { timeout: 30_000 }).toContain(`"${tool}"`);
      const answer = (await client.call(tool, tool, args)).at(-1) as {
        result?: { content: { text?: string }[] };
        error?: { message: string };
      };
      return answer.error?.message ?? (answer.result?.content ?? []).map(({ text }) => text).join('');
    },
    async end() {
      await hub.fetch(path, { method: 'DELETE', token, headers: { 'mcp-session-id': client.session } });
    },
  };
}

/** Why a server cannot be used there, as the hub tells it after somebody tried. */
export async function refusalOn(home: Home, hub: RunningHub, executor: string, server: string): Promise<string> {
  const token = await tokenOn(home, executor, 'codex');
  const fetch: RunningHub['fetch'] = (to, init) => hub.fetch(to, { ...init, token });
  await expect(RawClient.open({ fetch }, `/servers/${server}/mcp`)).rejects.toThrow(`cannot run server '${server}'`);
  const status = await (await hub.fetch(`/api/status?executor=${executor}`)).json();
  const { servers } = status as { servers: { id: string; last_error?: { why: string; hint: string } }[] };
  const { why, hint } = servers.find(({ id }) => id === server)?.last_error ?? {};
  return `${why}\ntry: ${hint}`;
}

async function tokenOn(home: Home, executor: string, agent: string): Promise<string> {
  const words = ['hub', 'token', '--data', home.data, '--agent', agent, '--executor', executor];
  return (await junctor(home, words)).stdout.trim();
}

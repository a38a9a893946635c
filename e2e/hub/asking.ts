/** Calls that wait for a yes at a hub, and the answers to them. */
import { type Home, makeHome, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { type AnyHub, type RestAnswer, rest } from './rest-client.ts';
import type { RawClient } from './rpc.ts';

/** Trusted, so that results come as they are. */
export const ASKING = {
  version: 1,
  servers: { demo: trusted(testServer()) },
  permissions: { ask: ['mcp__demo__*'] },
};

/** A hub whose calls need a yes, unless told otherwise. */
export async function withHub(
  use: (hub: RunningHub, home: Home) => Promise<void>,
  { config = ASKING, args = [] }: { config?: object; args?: readonly string[] } = {},
): Promise<void> {
  await using home = await makeHome();
  await using hub = await startHub(home, config, args);
  await use(hub, home);
}

export interface Waiting {
  readonly id: string;
  readonly agent: string;
  readonly arguments: unknown;
}

/** The open questions, once there are so many. */
export async function waiting(hub: AnyHub, count = 1): Promise<Waiting[]> {
  let open: Waiting[] = [];
  await expect
    .poll(async () => {
      open = (await rest(hub, '/api/approvals')).body.approvals;
      return open.length;
    })
    .toBe(count);
  return open;
}

export function answer(hub: AnyHub, id: string, body: unknown): Promise<RestAnswer> {
  return rest(hub, `/api/approvals/${id}`, { method: 'POST', body });
}

export function resultOf(messages: Awaited<ReturnType<RawClient['messages']>>): object | undefined {
  return messages.at(-1)?.result;
}

export const said = (text: string): object => ({ content: [{ type: 'text', text }] });

/** The verdicts of the audit, oldest first. */
export async function verdicts(hub: AnyHub): Promise<unknown[]> {
  const { calls } = (await rest(hub, '/api/calls')).body;
  return calls
    .map(({ verdict, because, outcome, code }: Record<string, string>) => [verdict, because, outcome, code])
    .reverse();
}

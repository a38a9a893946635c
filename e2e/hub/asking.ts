/** Calls that wait for a yes at a hub, and the answers to them. */
import { expect } from 'vitest';
import { type AnyHub, type RestAnswer, rest } from './rest-client.ts';
import type { RawClient } from './rpc.ts';

export interface Waiting {
  readonly id: string;
  readonly agent: string;
  readonly arguments: unknown;
}

/** The open questions, once there are so many. */
export async function waiting(hub: AnyHub, count = 1): Promise<Waiting[]> {
  let open: Waiting[] = [];
  await expect
    .poll(
      async () => {
        open = (await rest(hub, '/api/approvals')).body.approvals;
        return open.length;
      },
      { timeout: 20_000 },
    )
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

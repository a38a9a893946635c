/** Policies of executors, for all agents or for one: shown with secrets masked, and changed only by who read the last one. */
import { maskTexts } from '@junctor/core/config-read';
import { type EffectivePolicy, policyFor } from '@junctor/core/internal';
import type * as z from 'zod/mini';
import { maskedPlaces, unmasked } from '../agents/masked-values.ts';
import { checkTag, tagOf } from './etag.ts';
import { invalid } from './failure.ts';
import type { Rooms } from './rooms.ts';
import type { ExecutorMcpPolicy, FullPolicy } from './shapes/agent-config.ts';

type Policy = z.infer<typeof ExecutorMcpPolicy>;

export interface PolicyPlace {
  readonly executor: string;
  /** Absent: it holds for every agent. */
  readonly agent?: string | undefined;
}

/** What holds there now, every default filled in. */
export function shownPolicy(rooms: Rooms, place: PolicyPlace): z.infer<typeof FullPolicy> {
  const policy = policyAt(rooms, place);
  return { ...policy, env_injection: maskTexts(policy.env_injection), env_server_wins: [...policy.env_server_wins] };
}

export function maskPolicy<Masked extends Policy>(policy: Masked): Masked {
  return policy.env_injection === undefined ? policy : { ...policy, env_injection: maskTexts(policy.env_injection) };
}

/** Names what is stored there or, where nothing is, what holds. */
export function policyTag(rooms: Rooms, place: PolicyPlace): string {
  return tagOf(storedAt(rooms, place) ?? policyAt(rooms, place));
}

/** Stores a policy, or with undefined forgets it, and puts it into force. */
export async function storePolicy(
  rooms: Rooms,
  { executor, agent }: PolicyPlace,
  posted: Policy | undefined,
  headers: Headers,
): Promise<void> {
  const before = policyAt(rooms, { executor, agent });
  const meant = posted && unmasked(posted, maskPolicy(before as Policy), before);
  const [masked] = maskedPlaces(meant);
  if (masked !== undefined) {
    const message = 'The value is masked, and it is not known what stands behind it.';
    throw invalid(`The policy of '${executor}' is not valid`, [
      { path: masked, message, fix: 'Write the value itself.' },
    ]);
  }
  const place = { executor, ...(agent === undefined ? {} : { agent }) };
  await rooms.agentRows.replacePolicy(place, meant === undefined ? undefined : JSON.stringify(meant), present => {
    const now: unknown = present === undefined ? before : JSON.parse(present);
    checkTag(headers, tagOf(now), { exists: present !== undefined });
  });
  await rooms.book.refresh();
}

export function policyAt({ book }: Rooms, { executor, agent }: PolicyPlace): EffectivePolicy {
  return policyFor(book.hostOf(agent).loaded.frame, executor, agent);
}

function storedAt({ book }: Rooms, { executor, agent }: PolicyPlace): Policy | undefined {
  return agent === undefined ? book.stored.policies.get(executor) : book.stored.overrides.get(agent)?.get(executor);
}

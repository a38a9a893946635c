/**
 * Writes down each act of an administrator over REST: who, what, before and after with secrets masked, and from where. It is
 * written once the act is over, so that it says what became of it; an act is never refused because it cannot be written.
 */
import { isJunctorError } from '@junctor/core';
import { maskArguments } from '@junctor/core/internal';
import { keptArguments, keptInWords } from '../calls/kept-arguments.ts';
import type { ActRow } from '../store/tables.ts';
import { STATES } from './act-states.ts';
import { Refusal } from './failure.ts';
import type { Rooms } from './rooms.ts';
import type { Answered, Asked, Route } from './route.ts';

/** A request to a route that changes something. */
export type ActAsked = Asked<Record<string, string> | undefined, Record<string, string> | undefined, unknown>;

export async function runAct(route: Route, act: string, asked: ActAsked, rooms: Rooms): Promise<Answered | Response> {
  const state = async (): Promise<unknown> => STATES[act]?.(asked, rooms)?.catch?.(() => undefined);
  const at = Date.now();
  const before = await state();
  const note = async (outcome: string, answered?: Answered): Promise<void> => {
    const { maker, address, atPage } = asked;
    const after = await state();
    const row: ActRow = {
      at,
      act,
      person: maker.name ?? '',
      made_with: maker.by,
      via: atPage ? 'page' : 'rest',
      address,
      target: targetOf(asked, answered),
      before: inWords(changed(before, after), rooms),
      // What was asked for stands for what is there afterwards, where nothing tells that and it holds no secret.
      after: inWords(act in STATES ? changed(after, before) : asked.body, rooms),
      outcome,
    };
    await rooms.acts.add(row).catch(error => {
      rooms.onProblem(
        `an act is not written down: ${act} ${row.target} by ${row.person || row.made_with}: ${error.message}`,
      );
    });
  };
  try {
    const answered = await route.run(asked as never, rooms);
    await note('done', answered instanceof Response ? undefined : answered);
    return answered;
  } catch (error) {
    await note(codeOf(error));
    throw error;
  }
}

/** What the path and the query name; of something new what its answer names. */
function targetOf({ params, query, body }: ActAsked, answered: Answered | undefined): string {
  const named = [...Object.values(params ?? {}), ...Object.values(query ?? {})].filter(Boolean);
  if (named.length > 0) return named.join(' ').slice(0, 200);
  const { id, imported } = { ...(body as object), ...(answered?.body as object) } as Record<string, unknown>;
  return [id ?? imported ?? []].flat().join(' ').slice(0, 200);
}

/** Of a list only what differs: the rest of it is not what the act was about. */
function changed(one: unknown, other: unknown): unknown {
  if (!Array.isArray(one) || !Array.isArray(other)) return one;
  const same = new Set(other.map(item => JSON.stringify(item)));
  return one.filter(item => !same.has(JSON.stringify(item)));
}

function inWords(value: unknown, { book }: Rooms): string | null {
  if (value === undefined || value === null) return null;
  const mask = (text: string): string => book.common.mask(text);
  return keptInWords(keptArguments(maskArguments(value, mask), mask));
}

function codeOf(error: unknown): string {
  if (error instanceof Refusal) return String(error.status);
  return isJunctorError(error) ? error.code : 'internal';
}

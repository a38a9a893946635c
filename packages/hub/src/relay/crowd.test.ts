import { describe, expect, test } from 'vitest';
import type { Party } from '../visit/party.ts';
import type { Session } from '../visit/session.ts';
import { Crowd, type Passage } from './crowd.ts';

/** A party is told apart by its session, and by whether its client is there. */
function party(session: string, away = false): Party {
  const known = SESSIONS.get(session) ?? ({ id: session } as Session);
  SESSIONS.set(session, known);
  return { session: known, away } as Party;
}

const SESSIONS = new Map<string, Session>();
const inside = (entered: Passage | Promise<Passage | undefined>): Passage => {
  if (entered instanceof Promise) throw new Error('it has to wait');
  return entered;
};

describe('what a server says is', () => {
  const a = party('a');
  const b = party('b');

  test('for the one session inside, and for nobody where there are two or none', () => {
    const crowd = new Crowd();
    expect(crowd.whose(undefined)).toBeUndefined();
    const first = inside(crowd.enter(a, 'x'));
    expect(crowd.whose(undefined)).toBe(a);
    const second = inside(crowd.enter(b, 'x'));
    expect(crowd.whose(undefined)).toBeUndefined();
    crowd.leave(first);
    expect(crowd.whose(undefined)).toBe(b);
    crowd.leave(second);
    expect(crowd.busy).toBe(false);
  });

  test('for the request on whose stream it comes, whoever else is inside; on that of no request inside, for nobody', () => {
    const crowd = new Crowd();
    inside(crowd.enter(a, 'x')).id = 4;
    expect(crowd.whose(4)).toBe(a);
    expect(crowd.whose(9)).toBeUndefined();
    inside(crowd.enter(b, 'x')).id = 5;
    expect([crowd.whose(4), crowd.whose(5)]).toEqual([a, b]);
  });

  test('for a call whose client is there rather than for one it has to come back to', () => {
    const crowd = new Crowd();
    const there = party('a');
    const away = party('a', true);
    inside(crowd.enter(there, 'x'));
    inside(crowd.enter(away, 'x'));
    expect(crowd.whose(undefined)).toBe(there);
  });
});

describe('what was seen to speak', () => {
  test('goes in for one session at a time, and nobody who waits is passed by', async () => {
    const crowd = new Crowd();
    const [a, b, c] = [party('a'), party('b'), party('c')];
    const first = inside(crowd.enter(a, 'asks'));
    crowd.asked();
    crowd.leave(first);
    const running = inside(crowd.enter(a, 'plain'));
    const order: string[] = [];
    const enter = async (who: Party, what: string, name: string): Promise<Passage | undefined> => {
      const passage = await crowd.enter(who, what);
      order.push(name);
      return passage;
    };
    const asking = enter(b, 'asks', 'b asks');
    const late = enter(c, 'plain', 'c');
    expect(order).toEqual([]);
    crowd.leave(running);
    const alone = (await asking) as Passage;
    expect(crowd.whose(undefined)).toBe(b);
    // Its own further calls are let in: it may need them to come to an end.
    crowd.leave(inside(crowd.enter(b, 'plain')));
    expect(order).toEqual(['b asks']);
    crowd.leave(alone);
    await late;
    expect(order).toEqual(['b asks', 'c']);
  });
});

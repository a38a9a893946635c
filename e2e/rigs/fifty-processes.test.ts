import { signIn } from '@junctor/core';
import { promise } from '@junctor/testkit';
import { expect } from 'vitest';
import { callFromProcesses } from '../sign-in/callers.ts';
import { browser, guardedServer } from '../sign-in/guarded.ts';

promise(
  ['7.4b', '2.4g'],
  'fifty processes with one expired, rotating token: one refresh, fifty answers',
  async () => {
    await using guarded = await guardedServer();
    await signIn(await guarded.host(), 'guarded', browser(guarded.authority));
    guarded.authority.expireTokens();
    const expected = Array.from({ length: 50 }, (_, index) => `hello ${index}`);
    expect(await callFromProcesses(guarded, 50)).toEqual(expected);
    expect(guarded.authority.requests).toMatchObject({ refreshes: 1, authorizations: 1 });
  },
  300_000,
);

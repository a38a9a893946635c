import { signIn } from '@junctor/core';
import { describe, expect, test } from 'vitest';
import { echo, guardedServer } from './guarded.ts';

describe('a person enters a code on another device', () => {
  test('and the host goes on', async () => {
    await using guarded = await guardedServer({ deviceFlow: true });
    const { authority } = guarded;
    const host = await guarded.host();
    const shown: string[] = [];
    await signIn(host, 'guarded', {
      visit: () => expect.unreachable('no browser is opened here'),
      device: {
        show(info) {
          shown.push(info.verificationUri, info.userCode);
          void authority.browser.visit(info.verificationUriComplete ?? '');
        },
      },
    });
    expect(shown).toEqual([expect.stringMatching(/^http/), expect.stringMatching(/^\S{4,}/)]);
    expect(await echo(host)).toBe('hello');
    authority.expireTokens();
    expect(await echo(host, 'renewed')).toBe('renewed');
  });

  test('says no, and it is said why', async () => {
    await using guarded = await guardedServer({ deviceFlow: true });
    const { authority } = guarded;
    const host = await guarded.host();
    const show = (info: { verificationUriComplete?: string }): void =>
      void authority.browser.visit(info.verificationUriComplete ?? '', { consent: false });
    await expect(signIn(host, 'guarded', { visit() {}, device: { show } })).rejects.toMatchObject({
      code: 'sign_in_failed',
      why: expect.stringContaining('access_denied'),
    });
  });
});

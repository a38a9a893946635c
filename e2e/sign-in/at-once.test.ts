import { signIn } from '@junctor/core';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { browser, echo, guardedServer } from './guarded.ts';

describe('with somebody to turn to at once', () => {
  test('a host that connects signs in, and goes on', async () => {
    await using guarded = await guardedServer({ resourceMetadata: 'header' });
    const person = browser(guarded.authority);
    const host = await guarded.host({ signIn: person });
    expect(await echo(host)).toBe('hello');
    expect(person.visited).toHaveLength(1);
    // One that comes later needs nobody.
    const next = await guarded.host({ signIn: { visit: () => expect.unreachable() } });
    expect(await echo(next, 'again')).toBe('again');
  });

  promise('2.3k', 'a 403 that asks for more scope starts a sign-in with that scope', async () => {
    await using guarded = await guardedServer({ challengeScope: 'tools:read' });
    const { authority } = guarded;
    const host = await guarded.host({ signIn: browser(authority) });
    expect(await echo(host)).toBe('hello');
    expect((await host.call({ server: 'guarded', tool: 'pid' }, {})).output).toMatch(/^\d+$/);
    expect(authority.authorizationRequests.map(({ params }) => params.scope?.split(' '))).toEqual([
      expect.arrayContaining(['tools:read']),
      expect.arrayContaining(['tools:read', 'tools:admin']),
    ]);
    expect(authority.requests.refreshes).toBe(0);
  });

  test('who does not want to grant more keeps what was granted, and is not asked for it again', async () => {
    await using guarded = await guardedServer({ challengeScope: 'tools:read' });
    const person = browser(guarded.authority);
    let asked = 0;
    const visit = (url: URL, about: { server: string }): void | Promise<void> => {
      if (asked++ > 0) throw new Error('no more than that');
      return person.visit(url, about);
    };
    const host = await guarded.host({ signIn: { visit } });
    expect(await echo(host)).toBe('hello');
    const admin = () => host.call({ server: 'guarded', tool: 'pid' }, {});
    await expect(admin()).rejects.toMatchObject({ code: 'auth_required', why: 'no more than that' });
    expect(await echo(host, 'still here')).toBe('still here');
    await expect(admin()).rejects.toMatchObject({
      code: 'auth_required',
      message: "Server 'guarded' wants the scope tools:admin for this request.",
    });
    expect([asked, host.links.state('guarded').kind]).toEqual([2, 'ready']);
  });

  test('without anybody the missing scope is named, once, and the server goes on', async () => {
    await using guarded = await guardedServer({ challengeScope: 'tools:read' });
    // A program whose people have the command line hears of its commands.
    const host = await guarded.host({ nextSteps: 'commands' });
    await signIn(host, 'guarded', browser(guarded.authority));
    const announced: (string | undefined)[] = [];
    host.events.on('auth-required', ({ hint }) => announced.push(hint));
    for (let time = 0; time < 2; time++) {
      await expect(host.call({ server: 'guarded', tool: 'pid' }, {})).rejects.toMatchObject({
        code: 'auth_required',
        message: "Server 'guarded' wants the scope tools:admin for this request.",
        command: 'junctor mcp login guarded --scope "tools:read tools:admin"',
      });
    }
    expect(announced).toEqual(['junctor mcp login guarded --scope "tools:read tools:admin"']);
    expect(await echo(host)).toBe('hello');
    await signIn(host, 'guarded', { ...browser(guarded.authority), scope: 'tools:read tools:admin' });
    expect((await host.call({ server: 'guarded', tool: 'pid' }, {})).output).toMatch(/^\d+$/);
  });

  test('many calls at once turn to the person once', async () => {
    await using guarded = await guardedServer();
    const person = browser(guarded.authority);
    const host = await guarded.host({ signIn: person });
    expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(text => echo(host, text)))).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
    expect(person.visited).toHaveLength(1);
  });

  test('a person who does not sign in is not asked again by itself', async () => {
    await using guarded = await guardedServer();
    const person = browser(guarded.authority, { consent: false });
    const host = await guarded.host({ signIn: person });
    for (let time = 0; time < 3; time++) {
      await expect(echo(host)).rejects.toMatchObject({
        code: 'auth_required',
        why: expect.stringContaining('access_denied'),
      });
    }
    expect(person.visited).toHaveLength(1);
    await signIn(host, 'guarded', browser(guarded.authority));
    expect(await echo(host)).toBe('hello');
  });
});

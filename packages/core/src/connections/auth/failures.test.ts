import { expect, test } from 'vitest';
import { authorityUnreachable, moreScopeNeeded } from './failures.ts';

test.each(['tools:read tools:admin', 'https://www.example.com/auth/drive.readonly openid'])(
  'the next step names the scope %s',
  scope => {
    const { hint, command } = moreScopeNeeded('guarded', scope, scope);
    expect(command).toBe(`junctor mcp login guarded --scope "${scope}"`);
    expect(hint).toContain(`scope: '${scope}'`);
  },
);

test.each(['$(touch x)', '`touch x`', 'a"; touch x; "', "a', visit: run, x: '", 'a\\', 'a\nb', '%PATH%'])(
  'no line to paste holds %j, which a server chose',
  scope => {
    const { hint, command } = moreScopeNeeded('guarded', scope, scope);
    expect(command).toBe('junctor mcp login guarded');
    expect(hint).toBe("sign in: await signIn(host, 'guarded', { visit: url => … })");
  },
);

test('a timeout of an authorization server is told in words, and a failure of the system by its name', () => {
  const timeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  expect(authorityUnreachable('x', timeout).why).toBe('it did not answer in time');
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect(authorityUnreachable('x', new TypeError('fetch failed', { cause: refused })).why).toBe('ECONNREFUSED');
});

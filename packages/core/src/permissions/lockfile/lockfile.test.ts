import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { approve, lockChanges } from './lock-changes.ts';
import { formatLock, type LockFile, parseLock } from './lockfile.ts';
import { serverTerms } from './server-terms.ts';
import { termsOf, toolFingerprint } from './tool-terms.ts';

const lockedTool = (name: string, description: string) => {
  const tool = { name, description, inputSchema: { type: 'object' } };
  return [name, { fingerprint: toolFingerprint(tool), definition: termsOf(tool) }] as const;
};

const anyLock: fc.Arbitrary<LockFile> = fc
  .dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.record({ command: fc.string(), tools: fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { maxKeys: 4 }) }),
  )
  .map(servers => ({
    servers: new Map(
      Object.entries(servers).map(([id, { command, tools }]) => [
        id,
        {
          ...serverTerms(id, { transport: 'stdio', command }),
          tools: new Map(Object.entries(tools).map(([name, words]) => lockedTool(name, words))),
        },
      ]),
    ),
  }));

const plain = (lock: LockFile) => formatLock(lock);

describe('a lockfile', () => {
  test('that is written and read again is the same, and so are its bytes', () => {
    fc.assert(
      fc.property(anyLock, lock => {
        const text = formatLock(lock);
        const parsed = parseLock('junctor.lock', text);
        expect(parsed.ok && formatLock(parsed.lock)).toBe(text);
      }),
    );
  });

  test('with every change approved is what there is; with none it is what it was', () => {
    fc.assert(
      fc.property(anyLock, anyLock, (lock, present) => {
        const now = { ...present, unknown: new Set<string>() };
        const changes = lockChanges(lock, now);
        expect(plain(approve(lock, now, changes))).toBe(plain(present));
        expect(plain(approve(lock, now, []))).toBe(plain(lock));
        expect(lockChanges(approve(lock, now, changes), now)).toEqual([]);
        expect(lockChanges(lock, { ...present, unknown: new Set(['a', 'b', 'c']) })).toEqual([]);
      }),
    );
  });

  test('holds no secret, nor a trace of one', () => {
    const terms = (secret: string) =>
      serverTerms('db', {
        transport: 'http',
        url: `https://me:${secret}@db.example/mcp?api_key=${secret}`,
        headers: { Authorization: `Bearer ${secret}`, 'X-Team': 'blue' },
        env: { PASSWORD: secret, URL: `postgres://me:${secret}@db/x` },
        args: ['--token', secret],
        oauth: { client_id: 'me', client_secret: secret },
      });
    expect(terms('first-secret-1')).toEqual(terms('other-secret-2'));
    expect(JSON.stringify(terms('first-secret-1'))).not.toContain('first-secret-1');
    expect(terms('x').definition).toMatchObject({ headers: { 'X-Team': 'blue' }, oauth: { client_id: 'me' } });
  });

  test('that is not as it should be is not read at all, and says where', () => {
    const [problem] = (() => {
      const parsed = parseLock('junctor.lock', '{\n  "version": 1,\n  "servers": { "a": { "fingerprint": "x" } }\n}');
      return parsed.ok ? [] : parsed.problems;
    })();
    expect(problem).toMatchObject({ file: 'junctor.lock', line: 3, path: expect.stringContaining('servers.a') });
    expect(parseLock('junctor.lock', '{"version":1,"servers":{},"servers":{}}').ok).toBe(false);
  });
});

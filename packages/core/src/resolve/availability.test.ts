import { expect, test } from 'vitest';
import { JunctorError } from '../base/error.ts';
import type { Problem } from '../config/problem.ts';
import { availabilityOf, fixFor, inBrief, stillConnecting, troubledServers, whyUnavailable } from './availability.ts';

const refused = new JunctorError('connection_failed', 'refused', { server: 'down' });
const problem: Problem = {
  file: 'junctor.json',
  server: 'wrong',
  message: "Missing 'command'.",
  path: 'servers.wrong',
};
const facts = {
  servers: new Map([...'abc'].map(id => [id, {}]).concat([['down', {}]]) as [string, object][]),
  leftOut: [
    { id: 'off', kind: 'off', because: 'it is switched off' },
    { id: 'new', kind: 'waiting', because: 'nobody approved it' },
    { id: 'needy', kind: 'broken', because: 'KEY is not set' },
  ] as const,
  problems: [problem],
};
const connection = (id: string) => (id === 'down' ? { kind: 'error', lastError: refused } : { kind: 'idle' });

test.each([
  ['a', { kind: 'ready' }, 'usable', undefined],
  ['a', { kind: 'connecting' }, 'connecting', 'connection_failed'],
  ['down', { kind: 'auth_required', lastError: refused }, 'unreachable', 'connection_failed'],
  ['off', undefined, 'left_out', 'server_unusable'],
  ['new', undefined, 'left_out', 'trust_required'],
  ['needy', undefined, 'left_out', 'server_unusable'],
  ['wrong', undefined, 'invalid', 'config_invalid'],
  ['nobody', undefined, 'unknown', 'server_unknown'],
] as const)('%s %j is %s', (id, state, kind, code) => {
  const availability = availabilityOf(id, facts, state);
  expect([availability.kind, whyUnavailable(id, availability)?.code]).toEqual([kind, code]);
});

test('servers that somebody should do something about are named with their reason, in order', () => {
  const named = troubledServers(facts, connection).map(({ server, error }) => [server, error.code]);
  expect(named).toEqual([
    ['down', 'connection_failed'],
    ['new', 'trust_required'],
    ['needy', 'server_unusable'],
    ['wrong', 'config_invalid'],
  ]);
});

test.each([
  [{ kind: 'off' }, 'junctor mcp enable s'],
  [{ kind: 'policy' }, "change the policy of executor 'local', or choose another executor"],
  [{ kind: 'broken' }, 'junctor doctor s'],
  [{ kind: 'broken', next: { hint: 'set KEY', command: 'junctor secret set KEY' } }, 'junctor secret set KEY'],
  [{ kind: 'waiting' }, 'junctor trust add s'],
  [{ kind: 'waiting', forRules: true }, 'junctor trust add --rules'],
] as const)('%j has one next step: %s', (leftOut, fix) => {
  expect(fixFor({ id: 's', because: 'so it is', ...leftOut }, 'local')).toBe(fix);
});

test('a server that has no tools at the moment is named in the same few words everywhere', () => {
  const signedOut = new JunctorError('auth_required', 'sign in', { server: 's' });
  expect([inBrief('connecting'), inBrief(signedOut), inBrief(refused)]).toEqual([
    'still connecting',
    'needs a login',
    'failed',
  ]);
  expect(stillConnecting('s').message).toBe("Server 's' is still connecting.");
});

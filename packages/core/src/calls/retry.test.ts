import { expect, test } from 'vitest';
import { type ErrorCode, JunctorError } from '../base/error.ts';
import { outcomeOf, type RepeatGuard, RetryPolicy } from './retry.ts';

const failure = (code: ErrorCode, details = {}) => new JunctorError(code, code, details);
const unsent = () => failure('connection_lost', { unsent: true });
const lost = () => failure('connection_lost');
const refused = (status: number) => failure('connection_failed', { cause: { status } });
const harmless: RepeatGuard = { safeToRepeat: () => true, withheld: () => undefined };
const harmful: RepeatGuard = { safeToRepeat: () => false, withheld: () => undefined };

test.for([
  ['nothing was sent', lost(), false, 'not_sent'],
  ['it came too late to be sent', unsent(), true, 'not_sent'],
  ['the server forgot the session', failure('session_expired'), true, 'not_sent'],
  ['no connection ever stood', failure('connection_failed'), true, 'not_sent'],
  ['the connection broke', lost(), true, 'unknown'],
  ['no answer came in time', failure('timeout'), true, 'unknown'],
  ['it was cancelled', failure('cancelled'), true, 'unknown'],
  ['a gateway failed', refused(502), true, 'unknown'],
  ['the server answered with HTTP 404', refused(404), true, 'done'],
  ['the server answered with an error', failure('server_error'), true, 'done'],
  ['anything else was thrown', new Error('x'), true, 'unknown'],
] as const)('the outcome where %s', ([, error, sent, outcome]) => {
  expect(outcomeOf(error, sent)).toBe(outcome);
});

test.for([
  ['that never left', unsent(), undefined, true],
  ['whose session was forgotten', failure('session_expired'), undefined, true],
  ['that may have run, and does no harm twice', lost(), harmless, true],
  ['that may have run', lost(), harmful, false],
  ['that may have run, and of which nothing is known', lost(), undefined, false],
  ['that was not answered in time', failure('timeout'), harmless, false],
  ['whose server could not be opened', failure('connection_failed'), harmless, false],
  ['that was answered', failure('server_error'), harmless, false],
  ['that failed inside', new Error('x'), harmless, false],
] as const)('a call %s is repeated, or not: once at most', async ([, error, guard, repeated]) => {
  const retry = new RetryPolicy(guard);
  expect(await retry.repeats(retry.settle(error, true))).toBe(repeated);
  expect(await retry.repeats(retry.settle(error, true))).toBe(false);
});

test('a repeat that is denied for its session is made on a new one, and then no more', async () => {
  const retry = new RetryPolicy(harmless);
  const attempts = [lost(), failure('session_expired'), lost(), failure('session_expired')];
  const repeated: boolean[] = [];
  for (const error of attempts) repeated.push(await retry.repeats(retry.settle(error, true)));
  expect(repeated).toEqual([true, true, false, false]);
});

test.for([
  ['is locked now', () => Promise.resolve(failure('tool_locked'))],
  ['cannot be looked up', () => Promise.reject(lost())],
] as const)('a call whose tool %s is not repeated', async ([, withheld]) => {
  const retry = new RetryPolicy({ safeToRepeat: () => true, withheld });
  expect(await retry.repeats(retry.settle(lost(), true))).toBe(false);
});

test.for([
  ['the repeat was never sent', lost(), unsent(), 'unknown'],
  ['the server could not be opened again', lost(), failure('connection_failed'), 'unknown'],
  ['nothing ever left', unsent(), failure('connection_failed'), 'not_sent'],
  ['the repeat was answered', lost(), failure('server_error'), 'done'],
  ['the session of the repeat was denied too', failure('session_expired'), failure('session_expired'), 'unknown'],
] as const)('the outcome of two attempts where %s', async ([, first, second, outcome]) => {
  const retry = new RetryPolicy(harmless);
  await retry.repeats(retry.settle(first, true));
  expect(retry.settle(second, true).outcome).toBe(outcome);
});

test('a call that its server answered with questions has reached it', () => {
  const retry = new RetryPolicy();
  retry.reached();
  expect(retry.settle(unsent(), true).outcome).toBe('unknown');
});

test('calls that fail with the same error each keep their own outcome', () => {
  const shared = failure('connection_failed');
  const first = new RetryPolicy();
  first.reached();
  expect(first.settle(shared, false).outcome).toBe('unknown');
  expect(new RetryPolicy().settle(shared, false).outcome).toBe('not_sent');
  expect(shared.outcome).toBe('unknown');
});

test('a wait ends when the call is cancelled', async () => {
  const retry = new RetryPolicy(harmless);
  const abort = new AbortController();
  const waiting = retry.repeats(failure('connection_failed', { unsent: true }), abort.signal);
  abort.abort();
  expect(await waiting).toBe(true);
});

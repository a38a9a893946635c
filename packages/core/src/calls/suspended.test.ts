import { expect, test } from 'vitest';
import { hubOfState, type Suspendable, SuspendedCalls } from './suspended.ts';

interface Waiting extends Suspendable {
  readonly withdrawn: Promise<string>;
}

function waiting(id: string, owner = 'ada'): Waiting {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { id, owner, withdraw: resolve, withdrawn: promise };
}

test('a state is good for its owner, unaltered, where it was signed', () => {
  const calls = new SuspendedCalls<Waiting>();
  const call = waiting('call-1');
  const state = calls.suspend(call) ?? '';
  expect(calls.find(state, 'ada')).toBe(call);
  const [, expiresAt = ''] = state.split('.');
  const altered = [
    `${state}x`,
    state.replace('call-1', 'call-2'),
    state.replace(expiresAt, '9999999999999'),
    '',
    7,
    null,
  ];
  for (const [found, owner, at] of [
    [state, 'eve', calls],
    [state, 'ada', new SuspendedCalls<Waiting>()],
    ...altered.map(other => [other, 'ada', calls] as const),
  ] as const)
    expect(at.find(found, owner)).toBeUndefined();
  calls.close('the test is over');
});

test('a call that is over is told apart from a state that is nobody’s', () => {
  const calls = new SuspendedCalls<Waiting>();
  const call = waiting('call-1');
  const state = calls.suspend(call);
  calls.over(call);
  expect(calls.find(state, 'ada')).toBe('over');
  expect(calls.find(state, 'eve')).toBeUndefined();
});

test('a call whose client does not come back ends, and its state with it', async () => {
  const calls = new SuspendedCalls<Waiting>({ ms: 10 });
  const call = waiting('call-1');
  const state = calls.suspend(call);
  expect(await call.withdrawn).toBe('the client did not come back');
  expect(calls.find(state, 'ada')).not.toBe(call);
});

test('the time does not run while the client is here', async () => {
  const calls = new SuspendedCalls<Waiting>({ ms: 10 });
  const [here, away] = [waiting('here'), waiting('away')];
  for (const call of [here, away]) calls.suspend(call);
  calls.resumed(here);
  await away.withdrawn;
  expect(await Promise.race([here.withdrawn, 'waits'])).toBe('waits');
});

test('no more wait than may; one that waits already may wait again', () => {
  const calls = new SuspendedCalls<Waiting>({ max: 1 });
  const [first, second] = [waiting('first'), waiting('second')];
  expect(calls.suspend(first)).toBeDefined();
  expect(calls.suspend(second)).toBeUndefined();
  expect(calls.suspend(first)).toBeDefined();
  calls.over(first);
  expect(calls.suspend(second)).toBeDefined();
  calls.over(second);
});

test('the calls of an owner end together, and all with the program', async () => {
  const calls = new SuspendedCalls<Waiting>();
  const [ada, eve] = [waiting('1', 'ada'), waiting('2', 'eve')];
  for (const call of [ada, eve]) calls.suspend(call);
  calls.endOf(new Set(['eve']), 'the token was revoked');
  expect(await eve.withdrawn).toBe('the token was revoked');
  calls.close('the hub is closing');
  expect(await ada.withdrawn).toBe('the hub is closing');
});

test('a state names the hub where its call waits', () => {
  const calls = new SuspendedCalls<Waiting>({ hub: '0123456789ab' });
  const call = waiting('call-1');
  const state = calls.suspend(call);
  expect(hubOfState(state)).toBe('0123456789ab');
  expect(calls.find(state, 'ada')).toBe(call);
  expect(hubOfState('call-1.2.3')).toBeUndefined();
  calls.over(call);
});

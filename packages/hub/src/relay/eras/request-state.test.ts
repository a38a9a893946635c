import { expect, test } from 'vitest';
import { RequestStates } from './request-state.ts';

test('a state is good for its owner, unaltered, in its time, at the hub that signed it', () => {
  const states = new RequestStates();
  const state = states.seal('call-1', 'ada', 1000);
  expect(states.open(state, 'ada', 999)).toBe('call-1');
  expect(states.open(state, 'eve', 999)).toBeUndefined();
  expect(states.open(state, 'ada', 1001)).toBeUndefined();
  expect(new RequestStates().open(state, 'ada', 999)).toBeUndefined();
  for (const altered of [`${state}x`, state.replace('call-1', 'call-2'), state.replace('1000', '9000'), '', 7, null])
    expect(states.open(altered, 'ada', 999)).toBeUndefined();
});

import { describe, expect, test } from 'vitest';
import { describeDrift, driftOf } from './drift.ts';

const WRITTEN = { url: 'http://127.0.0.1:7717/mcp/x', headers: { Authorization: 'Bearer ${JUNCTOR_TOKEN}' } };

describe('what somebody else did to an entry', () => {
  test.each([
    ['nothing', WRITTEN, undefined],
    ['took it out', undefined, "'junctor' is gone"],
    ['put its keys in another order', { headers: WRITTEN.headers, url: WRITTEN.url }, undefined],
    ['added a key of their own', { ...WRITTEN, trust: true }, undefined],
    ['added a way to a server', { ...WRITTEN, command: 'x' }, "'junctor': command changed"],
    ['added a header', { ...WRITTEN, headers: { ...WRITTEN.headers, 'X-Y': 'z' } }, "'junctor': headers.X-Y changed"],
    ['changed the address', { ...WRITTEN, url: 'http://evil' }, "'junctor': url changed"],
    ['put something else in its place', 'x', "'junctor': all of it changed"],
    [
      'filled in the token',
      { ...WRITTEN, headers: { Authorization: 'Bearer jct_x' } },
      "'junctor': headers.Authorization changed; the variable of the token is no longer named there: a token may stand in the file",
    ],
  ])('%s', (_what, found, told) => {
    const drift = driftOf('junctor', WRITTEN, found);
    expect(drift && describeDrift(drift)).toBe(told);
  });
});

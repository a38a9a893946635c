import { describe, expect, test } from 'vitest';
import { joinScopes, readChallenge, widens } from './challenge.ts';

describe('what a server wants', () => {
  test.each([
    [undefined, {}],
    ['Basic realm="files"', {}],
    ['Bearer', {}],
    ['Bearer realm="x", error="invalid_token"', { error: 'invalid_token' }],
    [
      'Bearer resource_metadata="https://a.test/.well-known/oauth-protected-resource/mcp", scope="a b"',
      { resourceMetadata: 'https://a.test/.well-known/oauth-protected-resource/mcp', scope: 'a b' },
    ],
    ['bearer scope=a, error=insufficient_scope', { scope: 'a', error: 'insufficient_scope' }],
    ['Basic realm="x", Bearer scope="a"', { scope: 'a' }],
    ['Bearer scope="a", Basic realm="scope=\\"b\\""', { scope: 'a' }],
    ['Bearer scope="a", DPoP scope="b", algs="ES256"', { scope: 'a' }],
    ['Bearer error_description="say \\"please\\"", error="invalid_request"', { error: 'invalid_request' }],
    ['Bearer resource_metadata="not a url"', {}],
  ])('%s', (header, expected) => {
    expect(readChallenge(header)).toEqual(expected);
  });
});

describe('scopes', () => {
  test.each([
    [[undefined, undefined], undefined],
    [['a b', 'b c'], 'a b c'],
    [['', ' a '], 'a'],
  ])('%j → %s', (lists, expected) => {
    expect(joinScopes(...lists)).toBe(expected);
  });

  test.each([
    [undefined, undefined, false],
    [undefined, 'a', true],
    ['a b', 'b', false],
    ['a', 'a b', true],
  ])('%s held, %s wanted: more? %s', (held, wanted, expected) => {
    expect(widens(held, wanted)).toBe(expected);
  });
});

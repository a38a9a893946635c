import { describe, expect, test } from 'vitest';
import { ageOf, belongsTo, entryName, sameIssuer, splitEntryName, type TokenEntry } from './token-entry.ts';

describe('a token', () => {
  const now = 1_000_000_000;
  test.each([
    ['without an end is good until it is refused', {}, 'fresh'],
    ['of an hour, with an hour to go', { obtained_at: now, expires_at: now + 3_600_000 }, 'fresh'],
    ['of an hour, with a minute to go', { obtained_at: now - 3_540_000, expires_at: now + 60_000 }, 'ageing'],
    ['of a minute, with half of it to go', { obtained_at: now - 30_000, expires_at: now + 30_000 }, 'fresh'],
    ['of a minute, with five seconds to go', { obtained_at: now - 55_000, expires_at: now + 5000 }, 'ageing'],
    ['of codelia, with half a minute to go', { expires_at: now + 30_000 }, 'ageing'],
    ['that ends now', { obtained_at: now - 1000, expires_at: now }, 'over'],
  ] as const)('%s', (_title, entry, expected) => {
    expect(ageOf(entry, now)).toBe(expected);
  });
});

test('an account has a name of its own', () => {
  expect([entryName('github', undefined), entryName('github', 'work')]).toEqual(['github', 'github#work']);
  expect([splitEntryName('github'), splitEntryName('github#work')]).toEqual([
    { server: 'github', account: undefined },
    { server: 'github', account: 'work' },
  ]);
});

test('an entry belongs to one address, or to the first that asks and that a person defined', () => {
  const url = 'https://mcp.test/mcp';
  const belongs = (entry: TokenEntry, oauth = {}): boolean => belongsTo(entry, { url, oauth });
  expect([belongs({}), belongs({ server_url: url }), belongs({ server_url: `${url}/` })]).toEqual([true, true, false]);
  const issuer = 'https://login.test';
  expect([belongs({ issuer }), belongs({ issuer }, { issuer }), belongs({}, { issuer })]).toEqual([true, true, true]);
  expect(belongs({ issuer: 'https://other.test', server_url: url }, { issuer })).toBe(false);
  const project = { url, oauth: {}, ofProject: true } as const;
  expect([belongsTo({}, project), belongsTo({ server_url: url }, project)]).toEqual([false, true]);
});

test('issuers differ by more than a last slash', () => {
  expect(sameIssuer('https://a.test', 'https://a.test/')).toBe(true);
  expect(sameIssuer('https://a.test', 'https://A.test')).toBe(false);
});

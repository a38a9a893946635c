import { expect, test } from 'vitest';
import { loadedWithLibrary } from '../loaded-with.ts';

test('whoever signs in to nothing loads nothing for it', () => {
  const texts = loadedWithLibrary();
  const withSdk = texts.filter(text => text.includes('oauth-authorization-server'));
  expect([texts.length > 1, withSdk.length]).toEqual([true, 0]);
});

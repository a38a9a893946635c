import { describe, expect, test } from 'vitest';
import { maskedPlaces, unmasked } from './masked-values.ts';

describe('a value that comes back masked', () => {
  const real = { env: { TOKEN: 'secret', PLAIN: 'a' }, args: ['--key', 'k1'], headers: { Authorization: 'Bearer b1' } };
  const shown = { env: { TOKEN: '•••', PLAIN: 'a' }, args: ['--key', '•••'], headers: { Authorization: 'Bearer •••' } };

  test('means what stands there, where it is what had been shown', () => {
    expect(unmasked(shown, shown, real)).toEqual(real);
    const edited = { ...shown, env: { ...shown.env, PLAIN: 'b', MORE: 'c' }, args: ['--key', '•••', '--new'] };
    expect(unmasked(edited, shown, real)).toEqual({
      ...real,
      env: { ...real.env, PLAIN: 'b', MORE: 'c' },
      args: ['--key', 'k1', '--new'],
    });
  });

  test('is found where nobody knows what stands behind it', () => {
    const moved = { env: { OTHER: '•••' }, args: ['•••'], headers: { Authorization: 'Basic •••' } };
    const back = unmasked(moved, shown, real);
    expect(back).toEqual(moved);
    expect(maskedPlaces(back)).toEqual(['env.OTHER', 'args[0]', 'headers.Authorization']);
    expect(maskedPlaces(real)).toEqual([]);
    // A name that every object has is a name like any other.
    expect(unmasked({ constructor: '•••' }, {}, {})).toEqual({ constructor: '•••' });
  });
});

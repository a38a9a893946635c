import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskArguments } from '../log/mask-arguments.ts';
import { canonicalJson } from './canonical-json.ts';
import {
  isRawNumber,
  mayLoseDigits,
  numberIn,
  parseExactly,
  parseKeepingDigits,
  withPlainNumbers,
} from './exact-json.ts';

const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^\\d{1,${maxLength}}$`));
const number = fc
  .tuple(fc.constantFrom('', '-'), digits(22), fc.option(digits(22)), fc.option(fc.constantFrom('e5', 'E+7', 'e-9')))
  .map(([sign, whole, fraction, power]) => {
    const plain = whole.replace(/^0+(?=\d)/, '');
    return `${sign}${plain}${fraction === null ? '' : `.${fraction}`}${power ?? ''}`;
  });

describe('a number', () => {
  test('is written again as it was read, wherever it stands', () => {
    fc.assert(
      fc.property(number, number, (one, two) => {
        const text = `{"a":[${one},${two}],"b":{"c":${two}}}`;
        expect(JSON.stringify(parseKeepingDigits(text))).toBe(text);
        expect(JSON.stringify(parseKeepingDigits(`{ "a" : ${one} }`))).toBe(`{"a":${one}}`);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(['{"a":1,"b":[1.5,-7,0,123456789012345],"c":"1.50 and 12345678901234567890"}', '[]', '{"v":"2.0"}'])(
    'that survives costs nothing: %s',
    text => expect(mayLoseDigits(text)).toBe(false),
  );

  test('that is kept as its text is known as a number', () => {
    const value = parseExactly('{"n":12345678901234567890,"m":[1.0]}') as { n: unknown; m: unknown[] };
    expect([isRawNumber(value.n), isRawNumber({ rawJSON: '1' }), numberIn(value.m[0])]).toEqual([true, false, 1]);
    expect(withPlainNumbers(value)).toEqual({ n: Number('12345678901234567890'), m: [1] });
    expect(canonicalJson(value)).toBe('{"m":[1.0],"n":12345678901234567890}');
    expect(JSON.stringify(maskArguments(value, text => `<${text}>`))).toBe('{"<n>":12345678901234567890,"<m>":[1.0]}');
  });
});

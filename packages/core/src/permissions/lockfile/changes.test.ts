import { describe, expect, test } from 'vitest';
import { changesBetween, describeChanges } from './changes.ts';

const lines = (before: object, after: object) => describeChanges(changesBetween(before, after));

describe('changes between two definitions', () => {
  test('are told part by part, old and new', () => {
    const before = { description: 'a', inputSchema: { properties: { x: { type: 'string' }, y: {} }, required: ['x'] } };
    const after = {
      description: 'b',
      inputSchema: { properties: { x: { type: 'number' }, z: {} }, required: ['x', 'z'] },
    };
    expect(lines(before, after)).toEqual([
      ...['description', '  - a', '  + b'],
      ...['inputSchema.properties.x.type', '  - string', '  + number'],
      ...['inputSchema.properties.y', '  - {}'],
      ...['inputSchema.properties.z', '  + {}'],
      ...['inputSchema.required', '  - ["x"]', '  + ["x","z"]'],
    ]);
    expect(lines(before, { inputSchema: before.inputSchema, description: 'a' })).toEqual([]);
  });

  test('show what nobody could see, and of long texts the part that differs', () => {
    expect(lines({ d: 'a' }, { d: 'a\u{e0041}\u200b\n\u001b[1m' })).toEqual([
      'd',
      '  - a',
      '  + a\\u{e0041}\\u{200b}\\n\\u{1b}[1m',
    ]);
    const [, was = '', is = ''] = lines(
      { d: `${'x'.repeat(5000)}old` },
      { d: `${'x'.repeat(5000)}new${'y'.repeat(5000)}` },
    );
    expect(was).toBe(`  - …${'x'.repeat(60)}old`);
    expect(is).toMatch(/^ {2}\+ …x{60}newy+… \(3063 more characters\)$/);
  });
});

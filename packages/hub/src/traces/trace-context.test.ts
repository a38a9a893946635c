import { expect, test } from 'vitest';
import { childOf, readTraceparent, traceparentOf } from './trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test('what a client sends is read, and what has no sense is not', () => {
  expect(readTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true });
  expect(readTraceparent(`00-${TRACE}-${SPAN}-02`)?.sampled).toBe(false);
  for (const wrong of [
    undefined,
    7,
    '',
    `00-${TRACE}-${SPAN}`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  ])
    expect(readTraceparent(wrong)).toBe(undefined);
});

test('a span is in the trace of its parent, or begins one', () => {
  const child = childOf({ traceId: TRACE, spanId: SPAN, sampled: false });
  expect(child).toMatchObject({ traceId: TRACE, sampled: false });
  expect(child.spanId).not.toBe(SPAN);
  expect(readTraceparent(traceparentOf(childOf(undefined)))?.sampled).toBe(true);
});

import { expect, test } from 'vitest';
import { suggestedPatterns } from './suggested-patterns.ts';

test.for([
  [{ path: '/tmp/notes/a.txt' }, ['path=/tmp/notes/a.txt', 'path=/tmp/notes/**']],
  [{ count: 3, all: true }, ['count=3', 'all=true']],
  [{ path: '/a' }, ['path=/a']],
  [{ glob: '/tmp/*', secret: '•••', up: '/tmp/../etc', turned: 'x\u202ey', two: 'a,b', none: '', deep: { a: 1 } }, []],
  ['text', []],
] as const)('%j is covered by %j', ([args, patterns]) => {
  expect(suggestedPatterns(args)).toEqual(patterns);
});

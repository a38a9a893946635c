import { describe, expect, test } from 'vitest';
import { headerList } from './header-list.ts';

describe('a list of headers', () => {
  test('begins with the host, and has each header with its value', () => {
    expect(headerList('mcp.example:81', { accept: 'text/plain', 'content-length': 3 })).toEqual([
      ...['Host', 'mcp.example:81'],
      ...['accept', 'text/plain'],
      ...['content-length', 3],
    ]);
  });

  test('has a name once, however it is spelled: the last one counts', () => {
    expect(headerList('a', { Authorization: 'Bearer old', host: 'b', authorization: 'Bearer new' })).toEqual([
      ...['host', 'b'],
      ...['authorization', 'Bearer new'],
    ]);
  });
});

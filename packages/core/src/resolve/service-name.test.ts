import { expect, test } from 'vitest';
import { serviceAt } from './service-name.ts';

test.each([
  ['http://search:8080/mcp', { name: 'search', namespace: undefined, port: 8080 }],
  ['http://search.tools.svc/mcp', { name: 'search', namespace: 'tools', port: 80 }],
  ['ws://search.tools.svc.cluster.local:9/', { name: 'search', namespace: 'tools', port: 9 }],
  ['https://search.tools.svc/mcp', undefined],
  ['http://localhost:8080/mcp', undefined],
  ['http://127.0.0.1:8080/mcp', undefined],
  ['http://search.example.com/mcp', undefined],
])('%s', (url, expected) => {
  expect(serviceAt(url)).toEqual(expected);
});

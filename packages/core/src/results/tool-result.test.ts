import { promise } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { toToolResult } from './tool-result.ts';

const text = (value: string) => ({ type: 'text', text: value });

promise(['3.5a', '3.5d'], 'text becomes output, structured content becomes data', () => {
  expect(toToolResult({ content: [text('a'), text('b')] })).toEqual({
    success: true,
    output: 'a\nb',
    parts: [text('a'), text('b')],
  });
  expect(toToolResult({ content: [], structuredContent: { n: 1 } })).toEqual({
    success: true,
    output: '{"n":1}',
    data: { n: 1 },
    parts: [],
  });
});

promise('3.5e', 'isError becomes a tool error that holds what the server said', () => {
  expect(toToolResult({ content: [text('no such file')], isError: true })).toEqual({
    success: false,
    output: 'no such file',
    error: 'no such file',
    parts: [text('no such file')],
  });
});

test('media and resources are described, never printed as base64', () => {
  const content = [
    { type: 'image', mimeType: 'image/png', data: 'AAAA'.repeat(100) },
    { type: 'resource_link', uri: 'file:///a' },
    { type: 'resource', resource: { uri: 'file:///b', text: 'inside' } },
    { type: 'resource', resource: { uri: 'file:///c', blob: 'AAAA' } },
    { type: 'hologram' },
  ];
  const { output, parts } = toToolResult({ content });
  expect(output.split('\n')).toEqual([
    '[image image/png, 300 bytes]',
    '[link file:///a]',
    'inside',
    '[resource file:///c, 3 bytes]',
    '[hologram]',
  ]);
  expect(parts).toEqual(content);
});

test.each([[undefined], [null], [{}], [{ content: 'text' }]])(
  'an answer without content (%j) is an empty result',
  answer => {
    expect(toToolResult(answer)).toEqual({ success: true, output: '', parts: [] });
  },
);

import { expect, test } from 'vitest';
import { literalSecrets } from './literal-secrets.ts';

test.each([
  ['a header', { headers: { Authorization: 'Bearer abc-123' } }, ['abc-123']],
  ['a variable', { env: { API_KEY: 'abc-123', MODE: 'fast' } }, ['abc-123']],
  [
    'a key in the address, as it is sent and as it is meant',
    { url: 'https://x.example/mcp?api_key=a%2Fb-12345&page=7' },
    ['a%2Fb-12345', 'a/b-12345'],
  ],
  ['one behind a port that is chosen later', { url: 'http://127.0.0.1:${PORT}/mcp?token=abc-12345' }, ['abc-12345']],
  ['a password in the address', { url: 'https://me:pa%20ss@x.example/mcp' }, ['pa%20ss', 'pa ss']],
  [
    'passwords in the addresses that a program is given',
    { args: ['postgres://me:pa@ss-1@db/app', 'https://${HOST:-x}:80/y@z'], env: { DB_URL: 'redis://:pass-2@r' } },
    ['pass-2', 'pa@ss-1'],
  ],
  [
    'options of a program',
    { args: ['--token=abc-12345', '--api-key', 'def-67890', '--auth', 'default', '--page', 'abc-99999'] },
    ['abc-12345', 'def-67890'],
  ],
  ['a plain word in the address is none', { url: 'https://x.example/mcp?auth=default&key=id' }, []],
  ['the secret of a client', { oauth: { client_secret: 'shh-123' } }, ['shh-123']],
])('%s', (_name, given, expected) => {
  const definition = { transport: 'http', url: 'https://x.example/mcp', ...given } as const;
  const found = literalSecrets(definition as Parameters<typeof literalSecrets>[0]);
  expect([...new Set(found)].filter(secret => secret !== '')).toEqual(expected);
});

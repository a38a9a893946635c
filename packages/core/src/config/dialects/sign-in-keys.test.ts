import { expect, test } from 'vitest';
import type { McpServerDef } from '../schema/server-schema.ts';
import { DIALECTS } from './registry.ts';

const url = 'https://example.com/mcp';
const ours = {
  grant_type: 'client_credentials',
  private_key: '${secret:KEY}',
  token_endpoint_auth_method: 'none',
  issuer: 'https://login.example.com',
  resource: url,
  redirect_uri: 'http://127.0.0.1:9876/back',
  client_metadata_url: 'https://example.com/client.json',
} as const;

const writers = DIALECTS.filter(({ name, write }) => name !== 'junctor' && write);

test.each(writers.map(dialect => [dialect.name, dialect] as const))(
  '%s never drops a key of a sign-in',
  (_, dialect) => {
    for (const [key, value] of Object.entries(ours)) {
      const definition = { transport: 'http', url, oauth: { client_id: 'me', [key]: value } } as McpServerDef;
      const written = dialect.write?.({}, [{ id: 'x', definition }]);
      expect([key, written]).toMatchObject([key, { edits: [], leftOut: [{ id: 'x', because: expect.any(String) }] }]);
    }
  },
);

test('what goes without saying is no reason to leave a server out', () => {
  const oauth = { grant_type: 'authorization_code', client_id: 'me' } as const;
  const definition: McpServerDef = { transport: 'http', url, oauth };
  for (const name of ['claude-code', 'gemini', 'zed', 'opencode']) {
    const dialect = DIALECTS.find(one => one.name === name);
    expect([name, dialect?.write?.({}, [{ id: 'x', definition }]).leftOut]).toEqual([name, []]);
  }
});

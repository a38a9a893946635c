import { expect, test } from 'vitest';
import { openedBy } from './access-token.ts';

const BASE = 'https://hub.example.com';

test.each([
  ['the hub itself, as a person', { aud: BASE, scope: 'junctor:person' }, { bearer: { kind: 'person' } }],
  [
    'a person with a name',
    { aud: BASE, scope: 'junctor:person', sub: '4711', email: 'ada@example.com' },
    { bearer: { kind: 'person', name: 'ada@example.com (4711)' } },
  ],
  ['with a slash at its end', { aud: `${BASE}/`, scope: 'openid junctor:person' }, { bearer: { kind: 'person' } }],
  ['the hub, without that scope', { aud: BASE, scope: 'junctor:tools' }, { lacks: 'junctor:person' }],
  [
    'the door of an agent',
    { aud: `${BASE}/mcp/Codex`, scope: 'junctor:tools' },
    { bearer: { kind: 'agent', agent: 'codex' } },
  ],
  [
    'its other doors',
    { aud: `${BASE}/ws/codex`, scp: ['junctor:tools'] },
    { bearer: { kind: 'agent', agent: 'codex' } },
  ],
  [
    'the door of a server, among others',
    { aud: ['https://other.example.com', `${BASE}/servers/fs/mcp`], scp: 'a junctor:tools' },
    { bearer: { kind: 'server', server: 'fs' } },
  ],
  ['a door, without the scope', { aud: `${BASE}/mcp/codex` }, { lacks: 'junctor:tools' }],
  ['another path of the hub', { aud: `${BASE}/api`, scope: 'junctor:person' }, { madeFor: [`${BASE}/api`] }],
  [
    'a name that only begins alike',
    { aud: `${BASE}.evil.com`, scope: 'junctor:person' },
    { madeFor: [`${BASE}.evil.com`] },
  ],
  ['nobody', { scope: 'junctor:person' }, { madeFor: [] }],
])('a token made for %s', (_title, claims, opened) => {
  expect(openedBy(claims, BASE)).toEqual(opened);
});

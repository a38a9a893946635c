import type { Layer } from '@junctor/core/internal';
import { describe, expect, test } from 'vitest';
import type { AgentMcpConfig } from './agent-config.ts';
import { overridesFor, type StoredAgents } from './overrides.ts';

const config: AgentMcpConfig = {
  agent_id: 'codex',
  enabled: true,
  servers: { mine: { type: 'streamable_http', url: 'http://localhost:1/', mode: 'shared' } },
  meta: { mine: { name: 'Mine' }, other: { name: 'Nobody' } },
};

const stored = (more: Partial<StoredAgents> = {}): StoredAgents => ({
  configs: new Map(),
  policies: new Map(),
  overrides: new Map(),
  ...more,
});

const file = (agents: object): Layer => ({ name: 'user', config: { agents } }) as unknown as Layer;

describe('what is stored, as a layer', () => {
  test('says nothing where nothing is stored', () => {
    expect(overridesFor(undefined, stored(), [])).toEqual({ version: 1, servers: {} });
    expect(overridesFor('codex', stored(), [file({ codex: { servers: ['a'] } })])).toEqual({ version: 1, servers: {} });
  });

  test('defines the servers of its agent, and lists them as all it gets', () => {
    const all = stored({ configs: new Map([['codex', config]]) });
    const mine = { transport: 'streamable_http', url: 'http://localhost:1/', mode: 'shared', meta: { name: 'Mine' } };
    expect(overridesFor('codex', all, [])).toEqual({
      version: 1,
      servers: { mine },
      agents: { codex: { enabled: true, servers: ['mine'] } },
    });
    // For everybody else it is as if it were not there.
    expect(overridesFor(undefined, all, [])).toEqual({ version: 1, servers: {} });
    expect(overridesFor('cursor', all, [])).toEqual({ version: 1, servers: {} });
  });

  test('leaves what files say about executors, until something is stored for that executor', () => {
    const files = [
      file({ codex: { executors: { docker: { allow_ws: false } } } }),
      file({ CODEX: { enabled: false, executors: { docker: { allow_sse: false }, ssh: { allow_ws: false } } } }),
    ];
    const all = stored({
      configs: new Map([['codex', config]]),
      policies: new Map([['k8s', { allow_stdio: false }]]),
      overrides: new Map<string, ReadonlyMap<string, object>>([
        ['codex', new Map([['docker', { stdio_proxy: true }]])],
        ['cursor', new Map([['k8s', { allow_stdio: true }]])],
      ]),
    });
    expect(overridesFor('codex', all, files)).toMatchObject({
      agents: {
        codex: {
          enabled: true,
          servers: ['mine'],
          executors: { docker: { stdio_proxy: true }, ssh: { allow_ws: false } },
        },
        cursor: { executors: { k8s: { allow_stdio: true } } },
      },
      executors: { k8s: { allow_stdio: false } },
    });
    expect(overridesFor(undefined, all, files).agents?.codex).toEqual({
      enabled: false,
      executors: { docker: { stdio_proxy: true }, ssh: { allow_ws: false } },
    });
  });
});

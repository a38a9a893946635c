import { promise } from '@junctor/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { above, isEnabled, type Layer, type LayerName, type Merged, mergedFrom, mergeLayers } from './layers.ts';
import type { ConfigFrame } from './schema/schema.ts';
import type { McpServerDef } from './schema/server-schema.ts';

const stdio = (command: string): McpServerDef => ({ transport: 'stdio', command });

function layer(
  name: LayerName,
  servers: Record<string, McpServerDef>,
  overlays: Record<string, boolean> = {},
  frame: ConfigFrame = {},
): Layer {
  return {
    name,
    source: name,
    file: name,
    dialect: 'junctor',
    config: { ...frame, servers, overlays },
    placeOf: () => undefined,
  };
}

/** Everything a merge decides, without functions. */
const plain = ({ servers, switches, frame }: Merged) =>
  JSON.parse(JSON.stringify({ servers: [...servers].sort(), switches: [...switches].sort(), frame }));

describe('layers', () => {
  promise(['1.6k', '1.6l', '1.6o'], 'merge by id: the higher definition wins whole, and says what it hides', () => {
    const low = layer('user', { a: { ...stdio('low'), args: ['kept?'] }, b: stdio('b') });
    const high = layer('project', { a: stdio('high'), c: stdio('c') });
    const { servers } = mergeLayers([low, high]);
    expect([...servers.keys()].sort()).toEqual(['a', 'b', 'c']);
    expect(servers.get('a')).toMatchObject({ definition: stdio('high'), layer: 'project', file: 'project' });
    expect(servers.get('a')?.definition).not.toHaveProperty('args');
    expect(servers.get('a')?.hides.map(hidden => hidden.source)).toEqual(['user']);
  });

  promise('1.6m', 'an entry that only says enabled switches a lower server, and nothing else of it', () => {
    const { servers, switches } = mergeLayers([
      layer('user', { a: stdio('a') }),
      layer('project', {}, { a: false, ghost: true }),
    ]);
    const a = servers.get('a');
    expect([a?.definition, a && isEnabled(a), a?.switched?.layer]).toEqual([stdio('a'), false, 'project']);
    expect([...switches.keys()]).toEqual(['ghost']);
  });

  test('rules of all layers count; other sections are decided key by key', () => {
    const low = layer(
      'user',
      {},
      {},
      { permissions: { deny: ['mcp__a__*'], allow: ['mcp__b__*'] }, search: { enabled: true, min_context_window: 5 } },
    );
    const high = layer('project', {}, {}, { permissions: { allow: ['mcp__a__*'] }, search: { enabled: false } });
    expect(mergeLayers([low, high]).frame).toEqual({
      permissions: { allow: ['mcp__a__*', 'mcp__b__*'], deny: ['mcp__a__*'] },
      search: { enabled: false, min_context_window: 5 },
    });
  });

  test('joining is associative', () => {
    const ids = fc.constantFrom('a', 'b', 'c');
    const anyLayer = fc
      .record({
        servers: fc.dictionary(ids, fc.constantFrom('x', 'y').map(stdio)),
        overlays: fc.dictionary(ids, fc.boolean()),
        allow: fc.option(fc.array(fc.constantFrom('p', 'q')), { nil: undefined }),
        enabled: fc.option(fc.boolean(), { nil: undefined }),
        name: fc.constantFrom<LayerName>('user', 'project', 'local', 'explicit'),
      })
      .map(({ servers, overlays, allow, enabled, name }) => {
        const switches = Object.fromEntries(Object.entries(overlays).filter(([id]) => !(id in servers)));
        const frame = { ...(allow ? { permissions: { allow } } : {}), ...(enabled === undefined ? {} : { enabled }) };
        return mergedFrom(layer(name, servers, switches, frame));
      });
    fc.assert(
      fc.property(anyLayer, anyLayer, anyLayer, (high, middle, low) => {
        expect(plain(above(above(high, middle), low))).toEqual(plain(above(high, above(middle, low))));
      }),
      { numRuns: 300 },
    );
  });
});

/** For one server: which layer, file and line set each field, and what that hid. Pure. */
import type { Place } from './formats/document.ts';
import { type Definition, isEnabled, type LoadedServer } from './layers.ts';
import { shownDefinition } from './masking/masking.ts';
import type { ConfigFrame } from './schema/schema.ts';
import type { McpServerDef } from './schema/server-schema.ts';
import { toolLimits } from './tool-limits.ts';

export interface FieldOrigin {
  readonly key: string;
  /** Masked. */
  readonly value: unknown;
  /** Where it is written; `default` where nobody wrote it. */
  readonly layer: string;
  readonly source: string | null;
  readonly place: Place | null;
}

export interface HiddenDefinition {
  readonly layer: string;
  readonly source: string;
  readonly place: Place | null;
  readonly definition: McpServerDef;
}

export interface ServerExplanation {
  readonly id: string;
  readonly layer: string;
  readonly source: string;
  readonly dialect: string;
  readonly enabled: boolean;
  readonly fields: readonly FieldOrigin[];
  readonly hides: readonly HiddenDefinition[];
}

/** What holds where neither the server nor `defaults` says anything. */
const BUILT_IN: Readonly<Record<string, unknown>> = {
  enabled: true,
  trust: 'untrusted',
  mode: 'auto',
  connect_timeout_ms: 60_000,
  request_timeout_ms: 30_000,
  tool_idle_timeout_ms: 300_000,
  tool_timeout_ms: 97_200_000,
  max_message_bytes: 134_217_728,
};

export function explainServer(server: LoadedServer, frame: ConfigFrame): ServerExplanation {
  const { id, layer, source, dialect } = server;
  return {
    id,
    layer,
    source,
    dialect,
    enabled: isEnabled(server),
    fields: [...writtenFields(server), ...fallbackFields(server, frame)],
    hides: server.hides.map(hidden),
  };
}

function writtenFields(server: LoadedServer): FieldOrigin[] {
  const { layer, source, switched } = server;
  const shown = shownDefinition(server);
  return Object.entries(shown).map(([key, value]) => {
    if (key === 'enabled' && switched) return switchField(switched);
    return { key, value, layer, source, place: server.placeOf(key) ?? null };
  });
}

function fallbackFields(server: LoadedServer, frame: ConfigFrame): FieldOrigin[] {
  const { definition, switched, dialect } = server;
  const { idleMs, totalMs } = toolLimits({ definition, defaults: frame.defaults, dialect });
  const builtIn: Readonly<Record<string, unknown>> = { tool_idle_timeout_ms: idleMs, tool_timeout_ms: totalMs };
  return Object.entries(BUILT_IN).flatMap(([key, value]): FieldOrigin[] => {
    if (key in definition) return [];
    if (key === 'enabled' && switched) return [switchField(switched)];
    const general = (frame.defaults as Record<string, unknown> | undefined)?.[key];
    if (general !== undefined) return [{ key, value: general, layer: 'defaults', source: null, place: null }];
    return [{ key, value: builtIn[key] ?? value, layer: 'default', source: null, place: null }];
  });
}

function switchField(switched: NonNullable<LoadedServer['switched']>): FieldOrigin {
  const { enabled, layer, source } = switched;
  return { key: 'enabled', value: enabled, layer, source, place: switched.placeOf('enabled') ?? null };
}

function hidden(one: Definition): HiddenDefinition {
  const { layer, source, placeOf } = one;
  return { layer, source, place: placeOf() ?? null, definition: shownDefinition(one) };
}

/** Numbers and words of the config that belong to no server: read from the schema, so that a new key is here by itself. */
import type { McpConfigLoadResult } from '@junctor/core/config-read';
import type { Edit } from '@junctor/core/config-write';
import { FileFrame } from '@junctor/core/internal';
import { nearest } from '@junctor/core/light';
import * as z from 'zod/mini';
import { type BodyProblem, problemsOf } from './failure.ts';
import type { Setting } from './routes/settings.ts';

type SettingEntry = z.infer<typeof Setting>;
type Section = (typeof NAMES)[number];

const NAMES = ['results', 'defaults', 'search', 'catalogue', 'health', 'startup'] as const;

/** All else counts at once. A connection keeps the signs it was opened with; lists and the start of a hub are set up once. */
const COUNTS_AFTER_START: ReadonlySet<string> = new Set([
  'catalogue.ttl_ms',
  'catalogue.drop_on_list_changed',
  'health.keep_alive_ms',
  'startup.connect',
]);

export function settingsOf({ layers }: Pick<McpConfigLoadResult, 'layers'>): SettingEntry[] {
  return NAMES.flatMap(section =>
    Object.entries(shapeOf(section)).flatMap(([key, schema]) => {
      const kind = kindOf(schema);
      if (!kind) return [];
      const from = layers.findLast(({ config }) => valueIn(config[section], key) !== undefined);
      return {
        section,
        key,
        purpose: z.globalRegistry.get(schema)?.description ?? '',
        ...kind,
        value: (from ? valueIn(from.config[section], key) : null) as SettingEntry['value'],
        layer: from?.name ?? null,
        file: from?.file ?? null,
        at_once: !COUNTS_AFTER_START.has(`${section}.${key}`),
      };
    }),
  );
}

/** What the schema of the file says about a change; null takes a key out. */
export function problemsIn(change: Readonly<Record<string, Readonly<Record<string, unknown>>>>): BodyProblem[] {
  return Object.entries(change).flatMap(([section, values]) => {
    if (!isSection(section)) {
      const near = nearest(section, NAMES);
      const fix = near ? `Did you mean '${near}'?` : `One of: ${NAMES.join(', ')}.`;
      return [{ path: section, message: `There are no settings '${section}'.`, fix }];
    }
    const set = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
    const read = FileFrame.shape[section].safeParse(set);
    const found = read.success ? [] : problemsOf(read.error as z.core.$ZodError, Object.keys(shapeOf(section)), set);
    return found.map(problem => ({ ...problem, path: `${section}.${problem.path}` }));
  });
}

export function settingEdits(change: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Edit[] {
  return Object.entries(change).flatMap(([section, values]) =>
    Object.entries(values).map(([key, value]) => ({ path: [section, key], value: value ?? undefined })),
  );
}

function isSection(word: string): word is Section {
  return (NAMES as readonly string[]).includes(word);
}

function shapeOf(section: Section): Record<string, z.ZodMiniOptional> {
  return FileFrame.shape[section]._zod.def.innerType.shape as Record<string, z.ZodMiniOptional>;
}

function valueIn(section: object | undefined, key: string): unknown {
  return (section as Record<string, unknown> | undefined)?.[key];
}

/** Undefined for what is no single value: a person writes that into the file. */
function kindOf(schema: z.ZodMiniOptional): Pick<SettingEntry, 'kind' | 'choices'> | undefined {
  const { def } = schema._zod.def.innerType._zod as { def: { type: string; entries?: Record<string, string> } };
  if (def.type === 'number' || def.type === 'int') return { kind: 'number', choices: [] };
  if (def.type === 'boolean') return { kind: 'switch', choices: [] };
  if (def.type === 'enum') return { kind: 'choice', choices: Object.values(def.entries ?? {}) };
  return undefined;
}

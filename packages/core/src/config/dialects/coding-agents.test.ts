/** What holds for each of these agents alike: its files are told apart, read, written back and survive nonsense. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatName, loadFormat } from '../formats/format.ts';
import { type McpServerDef, ServerDef } from '../schema/server-schema.ts';
import { cline } from './cline.ts';
import { continueDev } from './continue.ts';
import { copilot } from './copilot.ts';
import type { Dialect, DialectWriting, ServerChange } from './dialect.ts';
import { droid } from './droid.ts';
import { valueAt } from './entry-reader.ts';
import { goose } from './goose.ts';
import { grok } from './grok.ts';
import { kilo } from './kilo.ts';
import { kimi } from './kimi.ts';
import { opencode } from './opencode.ts';

const AGENTS = [cline, continueDev, copilot, droid, goose, grok, kilo, kimi, opencode];

interface Sample {
  readonly dialect: Dialect;
  readonly sample: string;
  /** Where the agent keeps it. */
  readonly file: string;
  readonly root: string;
  /** Servers it cannot write, although it reads them. */
  readonly leftOut?: readonly string[];
  /** Keys that are said in another way once we wrote the entry. */
  readonly respelled?: readonly string[];
}

const SAMPLES: readonly Sample[] = [
  {
    dialect: cline,
    sample: 'cline_mcp_settings.json',
    file: '/x/settings/cline_mcp_settings.json',
    root: 'mcpServers',
  },
  {
    dialect: cline,
    sample: 'nested.json',
    file: '/x/settings/cline_mcp_settings.json',
    root: 'mcpServers',
    respelled: ['hub.transport', 'loc.transport'],
  },
  { dialect: continueDev, sample: 'config.yaml', file: '/home/me/.continue/config.yaml', root: 'mcpServers' },
  { dialect: copilot, sample: 'mcp-config.json', file: '/home/me/.copilot/mcp-config.json', root: 'mcpServers' },
  { dialect: droid, sample: 'mcp.json', file: '/home/me/.factory/mcp.json', root: 'mcpServers' },
  {
    dialect: goose,
    sample: 'config.yaml',
    file: '/home/me/.config/goose/config.yaml',
    root: 'extensions',
    leftOut: ['old'],
    respelled: ['hub.envs', 'hub.available_tools'],
  },
  { dialect: grok, sample: 'config.toml', file: '/home/me/.grok/config.toml', root: 'mcp_servers' },
  { dialect: kilo, sample: 'kilo.jsonc', file: '/home/me/.config/kilo/kilo.jsonc', root: 'mcp' },
  { dialect: kimi, sample: 'mcp.json', file: '/home/me/.kimi-code/mcp.json', root: 'mcpServers' },
  { dialect: opencode, sample: 'opencode.jsonc', file: '/home/me/.config/opencode/opencode.jsonc', root: 'mcp' },
  { dialect: opencode, sample: 'nested.json', file: '/project/opencode.json', root: 'mcp' },
];

const title = ({ dialect, sample }: Sample): string => `${dialect.name}: ${sample}`;
const cases = SAMPLES.map(sample => [title(sample), sample] as const);

function textOf({ dialect, sample }: Sample): string {
  return readFileSync(join(import.meta.dirname, 'samples', dialect.name, sample), 'utf8');
}

async function parsed({ file }: Sample, text: string): Promise<unknown> {
  const read = (await loadFormat(formatName(file))).read(file, text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.document.value;
}

function definitions({ dialect, file }: Sample, value: unknown): Record<string, McpServerDef> {
  const { servers } = dialect.read(value, { file, home: '/home/me' });
  const whole = servers.filter(({ definition }) => 'transport' in definition);
  return Object.fromEntries(whole.map(({ id, definition }) => [id, definition as McpServerDef]));
}

/** Every key of every entry, as `server.key`. */
function keysIn({ dialect, file }: Sample, value: unknown): string[] {
  const { servers } = dialect.read(value, { file, home: '/home/me' });
  return servers.flatMap(({ id, path }) => Object.keys(valueAt(value, path) ?? {}).map(key => `${id}.${key}`));
}

function write({ dialect }: Sample, value: unknown, changes: readonly ServerChange[]): DialectWriting {
  return dialect.write?.(value, changes) ?? { edits: [], leftOut: [] };
}

async function edited(sample: Sample, text: string, { edits }: DialectWriting): Promise<unknown> {
  return parsed(sample, (await loadFormat(formatName(sample.file))).edit(text, edits));
}

describe('a file of a coding agent', () => {
  test.each(cases)('is known as what it is: %s', async (_title, sample) => {
    const value = await parsed(sample, textOf(sample));
    for (const file of [sample.file, sample.file.replaceAll('/', '\\')]) {
      const fitting = AGENTS.filter(agent => agent.recognise(file, value)).map(agent => agent.name);
      expect(fitting).toEqual([sample.dialect.name]);
    }
  });

  test.each(cases)('holds servers the schema accepts: %s', async (_title, sample) => {
    const read = definitions(sample, await parsed(sample, textOf(sample)));
    expect(Object.keys(read)).not.toEqual([]);
    for (const definition of Object.values(read)) {
      expect(ServerDef.safeParse(definition)).toEqual({ success: true, data: definition });
    }
  });

  test.each(cases)('says the same after its own servers were written into it: %s', async (_title, sample) => {
    const text = textOf(sample);
    const value = await parsed(sample, text);
    const read = definitions(sample, value);
    const changes = Object.entries(read).map(([id, definition]) => ({ id, definition }));
    const writing = write(sample, value, changes);
    expect(writing.leftOut.map(({ id }) => id)).toEqual(sample.leftOut ?? []);
    const after = await edited(sample, text, writing);
    expect(definitions(sample, after)).toEqual(read);
    const kept = keysIn(sample, after);
    expect(keysIn(sample, value).filter(key => !kept.includes(key))).toEqual(sample.respelled ?? []);
  });

  test.each(cases)('can be begun anew with the same servers: %s', async (_title, sample) => {
    const read = definitions(sample, await parsed(sample, textOf(sample)));
    const kept = Object.entries(read).filter(([id]) => !sample.leftOut?.includes(id));
    const { empty } = await loadFormat(formatName(sample.file));
    const writing = write(
      sample,
      {},
      kept.map(([id, definition]) => ({ id, definition })),
    );
    expect(writing.leftOut).toEqual([]);
    expect(definitions(sample, await edited(sample, empty, writing))).toEqual(Object.fromEntries(kept));
  });

  test.each(cases)('forgets servers that are taken out, and nothing else: %s', async (_title, sample) => {
    const text = textOf(sample);
    const value = await parsed(sample, text);
    const ids = Object.keys(definitions(sample, value));
    const [first, ...others] = ids;
    const gone = [first ?? '', ids.at(-1) ?? '', 'nobody'].map(id => ({ id, definition: undefined }));
    const after = await edited(sample, text, write(sample, value, gone));
    expect(Object.keys(definitions(sample, after))).toEqual(others.slice(0, -1));
    expect(write(sample, {}, gone)).toEqual({ edits: [], leftOut: [] });
  });

  test.each(cases)('may hold nonsense: %s', (_title, sample) => {
    const { dialect, file, root } = sample;
    const wrong = [
      null,
      7,
      'text',
      true,
      [],
      [null],
      {},
      { type: 7, command: 7, args: 'a', url: 7, headers: [], env: 7 },
    ];
    const insides = [
      ...wrong,
      { a: { type: 'stdio', cmd: [], envs: 7, env_keys: 7, transport: {}, oauth: 7, tools: 7 } },
    ];
    const roots = [...insides, ...insides.map(inside => ({ x: inside, servers: inside })), insides];
    const def: McpServerDef = { transport: 'stdio', command: 'a' };
    for (const value of [undefined, ...wrong, ...roots.map(inside => ({ [root]: inside }))]) {
      dialect.recognise(file, value);
      expect(dialect.read(value, { file, home: '/' }).frame).toEqual({});
      const written = write(sample, value, [
        { id: 'x', definition: def },
        { id: 'y', definition: undefined },
      ]);
      expect(written.edits.length + written.leftOut.length).toBeGreaterThan(0);
    }
  });
});

/** What holds for each of these programs alike: its files are told apart, read, written back and survive nonsense. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import type { ConfigDocument } from '../formats/document.ts';
import { formatName, loadFormat } from '../formats/format.ts';
import { type McpServerDef, ServerDef } from '../schema/server-schema.ts';
import { judge } from '../validate/judge.ts';
import { claudeCode } from './claude-code.ts';
import { claudeDesktop } from './claude-desktop.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import type { Dialect, DialectWriting, ServerChange } from './dialect.ts';
import { gemini } from './gemini.ts';
import { qwenCode } from './qwen-code.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';
import { zed } from './zed.ts';

const AGENTS = [claudeCode, claudeDesktop, codex, cursor, vscode, windsurf, zed, gemini, qwenCode];

interface Sample {
  readonly dialect: Dialect;
  readonly sample: string;
  /** Where the program keeps it. */
  readonly file: string;
  readonly root: string;
}

const at = (dialect: Dialect, file: string, root: string, ...samples: string[]): Sample[] =>
  samples.map(sample => ({ dialect, sample, file, root }));

const SAMPLES: readonly Sample[] = [
  ...at(claudeCode, '/code/project/.mcp.json', 'mcpServers', 'hub.json'),
  ...at(claudeCode, '/home/me/.claude.json', 'mcpServers', 'state.json'),
  ...at(claudeDesktop, '/home/me/.config/Claude/claude_desktop_config.json', 'mcpServers', 'with-junctor.json'),
  ...at(codex, '/home/me/.codex/config.toml', 'mcp_servers', 'hub.toml', 'with-junctor.toml'),
  ...at(cursor, '/code/project/.cursor/mcp.json', 'mcpServers', 'with-junctor.json'),
  ...at(vscode, '/code/project/.vscode/mcp.json', 'servers', 'with-junctor.json'),
  ...at(windsurf, '/home/me/.codeium/windsurf/mcp_config.json', 'mcpServers', 'with-junctor.json'),
  ...at(zed, '/home/me/.config/zed/settings.json', 'context_servers', 'with-junctor.json', 'older.json'),
  ...at(gemini, '/home/me/.gemini/settings.json', 'mcpServers', 'hub.json', 'with-junctor.json'),
  ...at(qwenCode, '/home/me/.qwen/settings.json', 'mcpServers', 'hub.json', 'with-junctor.json'),
];

const cases = SAMPLES.map(sample => [`${sample.dialect.name}: ${sample.sample}`, sample] as const);

function textOf({ dialect, sample }: Sample): string {
  return readFileSync(join(import.meta.dirname, 'samples', dialect.name, sample), 'utf8');
}

async function parsed({ file }: Sample, text: string): Promise<ConfigDocument> {
  const read = (await loadFormat(formatName(file))).read(file, text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.document;
}

const documentOf = (sample: Sample): Promise<ConfigDocument> => parsed(sample, textOf(sample));

function definitions({ dialect, file }: Sample, value: unknown): Record<string, McpServerDef> {
  const { servers } = dialect.read(value, { file, home: '/home/me' });
  return Object.fromEntries(servers.map(({ id, definition }) => [id, definition as McpServerDef]));
}

function write({ dialect }: Sample, value: unknown, changes: readonly ServerChange[]): DialectWriting {
  return dialect.write?.(value, changes) ?? { edits: [], leftOut: [] };
}

async function edited(sample: Sample, text: string, { edits }: DialectWriting): Promise<unknown> {
  return (await parsed(sample, (await loadFormat(formatName(sample.file))).edit(text, edits))).value;
}

const asChanges = (servers: Record<string, McpServerDef>): ServerChange[] =>
  Object.entries(servers).map(([id, definition]) => ({ id, definition }));

describe('a file of an agent or editor', () => {
  promise('1.4ac', 'is known by its place', async () => {
    for (const sample of SAMPLES) {
      const { value } = await documentOf(sample);
      for (const file of [sample.file, sample.file.replaceAll('/', '\\')]) {
        const fitting = AGENTS.filter(agent => agent.recognise(file, value)).map(agent => agent.name);
        expect(fitting).toEqual([sample.dialect.name]);
      }
    }
  });

  test.each(cases)('holds servers the schema accepts: %s', async (_title, sample) => {
    const document = await documentOf(sample);
    const read = definitions(sample, document.value);
    expect(Object.keys(read)).not.toEqual([]);
    for (const definition of Object.values(read)) {
      expect(ServerDef.safeParse(definition)).toEqual({ success: true, data: definition });
    }
    const judged = judge(document, sample.dialect.read(document.value, { file: sample.file, home: '/home/me' }));
    expect(judged).toEqual({ frameAt: {}, config: { servers: read }, problems: [] });
  });

  test.each(cases)('says the same after its own servers were written into it: %s', async (_title, sample) => {
    const { value } = await documentOf(sample);
    const read = definitions(sample, value);
    const writing = write(sample, value, asChanges(read));
    expect(writing.leftOut).toEqual([]);
    const after = await edited(sample, textOf(sample), writing);
    expect(definitions(sample, after)).toEqual(read);
    expect({ ...(after as object), [sample.root]: 0 }).toEqual({ ...(value as object), [sample.root]: 0 });
  });

  test.each(cases)('can be begun anew with the same servers: %s', async (_title, sample) => {
    const read = definitions(sample, (await documentOf(sample)).value);
    const { empty } = await loadFormat(formatName(sample.file));
    const writing = write(sample, {}, asChanges(read));
    expect(writing.leftOut).toEqual([]);
    expect(definitions(sample, await edited(sample, empty, writing))).toEqual(read);
  });

  test.each(cases)('forgets a server that is taken out, and nothing else: %s', async (_title, sample) => {
    const { value } = await documentOf(sample);
    const { [Object.keys(definitions(sample, value))[0] ?? '']: _first, ...others } = definitions(sample, value);
    const gone = Object.keys(definitions(sample, value)).filter(id => !(id in others));
    const removal = [...gone, 'nobody'].map(id => ({ id, definition: undefined }));
    const after = await edited(sample, textOf(sample), write(sample, value, removal));
    expect(definitions(sample, after)).toEqual(others);
  });

  test.each(cases)('may hold nonsense: %s', async (_title, sample) => {
    const { dialect, file, root } = sample;
    const change = [{ id: 'new', definition: { transport: 'stdio', command: 'x' } as const }];
    const json = await loadFormat('json');
    for (const value of nonsense(root)) {
      expect(() => dialect.recognise(file, value)).not.toThrow();
      const reading = dialect.read(value, { file, home: '/home/me' });
      const locate = () => ({ line: 1, column: 1 });
      expect(() => judge({ file, value, locate }, reading)).not.toThrow();
      const { edits } = write(sample, value, change);
      if (value === undefined) continue;
      expect(() => json.edit(JSON.stringify(value), edits)).not.toThrow();
    }
  });
});

function nonsense(root: string): unknown[] {
  const odd = [undefined, null, 7, 'text', true, [], [null], {}];
  const keys = [
    'type',
    'command',
    'args',
    'env',
    'cwd',
    'url',
    'httpUrl',
    'serverUrl',
    'headers',
    'oauth',
    'auth',
    'tools',
  ];
  const lists = [
    'env_vars',
    'env_http_headers',
    'http_headers',
    'includeTools',
    'enabled_tools',
    'disabledTools',
    'scopes',
  ];
  const entries = odd.flatMap(value => [value, ...[...keys, ...lists].map(key => ({ command: 'x', [key]: value }))]);
  const remote = odd.flatMap(value => [...keys, ...lists].map(key => ({ url: 'https://x.example.com', [key]: value })));
  return [
    ...odd,
    ...odd.map(value => ({ [root]: value })),
    ...[...entries, ...remote].map(entry => ({ [root]: { odd: entry } })),
    ...odd.map(mcp => ({ [root]: { odd: {} }, mcp, inputs: mcp })),
    ...odd.map(list => ({ [root]: { odd: {} }, mcp: { allowed: list, excluded: list }, inputs: [{ id: list }] })),
    JSON.parse(`{"${root}":{"__proto__":{"command":"x"},"constructor":{"command":"x"},"toString":7}}`),
  ];
}

describe('wherever it lies', () => {
  const ROWS: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['a Zed file', { context_servers: { a: { command: 'x' } } }, ['zed']],
    ['a VS Code file', { servers: { a: { type: 'stdio', command: 'x' } }, inputs: [] }, ['vscode']],
    ['a Codex file', { mcp_servers: { a: { command: 'x' } } }, ['codex']],
    ["another program's TOML", { mcp_servers: { a: { transport: 'stdio', program: 'x' } } }, []],
    ['a Windsurf file', { mcpServers: { a: { serverUrl: 'https://a.example.com' } } }, ['windsurf']],
    [
      'settings of Gemini CLI or Qwen Code',
      { mcpServers: { a: { httpUrl: 'https://a.example.com' } } },
      ['gemini', 'qwen-code'],
    ],
    ['servers everybody writes alike', { mcpServers: { a: { command: 'x' } } }, ['claude-code']],
    ['a server that some would heed as disabled', { mcpServers: { a: { command: 'x', disabled: true } } }, []],
    ['a url without a type', { mcpServers: { a: { url: 'https://a.example.com' } } }, []],
    ['anything else', { servers: {}, theme: 'dark' }, []],
  ];

  promise('1.4ab', 'a file is known by what only its program writes', () => {
    for (const [what, value, names] of ROWS) {
      for (const file of ['(value)', '/tmp/run/some.file']) {
        const fitting = AGENTS.filter(agent => agent.recognise(file, value)).map(agent => agent.name);
        expect([what, fitting]).toEqual([what, names]);
      }
    }
  });
});

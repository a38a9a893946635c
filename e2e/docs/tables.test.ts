import { DIALECTS, type Dialect } from '@junctor/core/config-write';
import { DIALECT_NAMES } from '@junctor/core/light';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { STARTS, type Way } from '../../packages/cli/src/commands/run/ways.ts';
import { publicNames } from '../../packages/core/src/catalogue/naming/public-names.ts';
import { NAMING_STRATEGIES } from '../../packages/core/src/catalogue/naming/strategy.ts';
import { audienceOf } from '../../packages/core/src/catalogue/profiles/audience.ts';
import { CLIENT_PROFILES, MODEL_PROFILES } from '../../packages/core/src/catalogue/profiles/built-in.ts';
import { findModel } from '../../packages/core/src/catalogue/profiles/find-profile.ts';
import { LAYER_NAMES } from '../../packages/core/src/config/layers.ts';
import { DEFAULT_POLICIES } from '../../packages/core/src/resolve/policy.ts';
import { rewriteUrl } from '../../packages/core/src/resolve/url-rewrite.ts';
import { code, tableOf } from './page-table.ts';

describe('docs/executors.md', () => {
  promise('5.3o', 'has the default policy of every executor, as it is in the program', () => {
    const executors = Object.keys(DEFAULT_POLICIES) as (keyof typeof DEFAULT_POLICIES)[];
    const keys = Object.keys(DEFAULT_POLICIES.local) as (keyof typeof DEFAULT_POLICIES.local)[];
    const expected = keys.map(key => [code(key), ...executors.map(name => policyCell(DEFAULT_POLICIES[name][key]))]);
    expect(tableOf('docs/executors.md', 'key', ...executors)).toEqual(expected);
  });

  test('shows URLs as they are rewritten', () => {
    const rows = tableOf('docs/executors.md', code('http_url_rewrite'));
    expect(rows.length).toBeGreaterThan(3);
    for (const [rewrites = '', url = '', becomes = ''] of rows.map(row => row.map(plain)))
      expect([url, rewriteUrl(url, JSON.parse(rewrites))]).toEqual([url, becomes]);
  });
});

function policyCell(value: boolean | readonly string[] | Readonly<Record<string, string>>): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const parts = Object.entries(value).map(([key, replacement]) => `${code(key)} → ${code(replacement)}`);
  return parts.join(', ') || 'none';
}

function plain(cell: string): string {
  return cell.replaceAll('`', '');
}

describe('docs/agents.md', () => {
  test('says how each agent is started and handed its config', () => {
    const rows = Object.entries(STARTS).map(([agent, { command, way }]) => [
      code(agent),
      code(command.join(' ')),
      handed(way),
    ]);
    expect(tableOf('docs/agents.md', 'agent', 'program')).toEqual(rows);
  });
});

function handed(way: Way): string {
  if (way.kind === 'own-file') return 'its own file';
  if (way.kind === 'settings') return code('-c mcp_servers.junctor=…');
  if (way.kind === 'variable') return code(`${way.name}=FILE`);
  return `${code(way.flags('FILE').join(' '))}${way.kind === 'flag-instead' ? ', a copy of its own and more' : ''}`;
}

describe('docs/config.md', () => {
  test('has every layer, highest first', () => {
    const names = tableOf('docs/config.md', 'layer').map(([name]) => name);
    expect(names).toEqual(LAYER_NAMES.map(code));
  });
});

describe('docs/names.md', () => {
  const page = 'docs/names.md';

  test('has every strategy, with the names it makes', () => {
    const identity = [{ server: 'filesystem', tool: 'read_file' }];
    const strategies = Object.keys(NAMING_STRATEGIES) as (keyof typeof NAMING_STRATEGIES)[];
    const expected = strategies.map(strategy => [code(strategy), code(publicNames(identity, strategy)[0] as string)]);
    expect(tableOf(page, code('--names')).map(row => row.slice(0, 2))).toEqual(expected);
  });

  test('has every built-in profile, with what it takes', () => {
    const models = Object.keys(MODEL_PROFILES).map(model => {
      const { names, maxTools = 'any', descriptionChars } = audienceOf({ model }) ?? expect.unreachable();
      const { characters = '' } = findModel(model).profile.names ?? {};
      return [code(model), code(characters), `${names.maxLength}`, `${maxTools}`, `${descriptionChars}`];
    });
    expect(tableOf(page, 'profile')).toEqual(models);
    const clients = Object.keys(CLIENT_PROFILES).map(client => {
      const { names, prefix, maxTools = 'any', listChanged } = audienceOf({ client }) ?? expect.unreachable();
      const again = listChanged === undefined ? 'unknown' : listChanged ? 'yes' : 'no';
      return [code(client), prefix ? code(prefix) : 'nothing', `${names.maxLength}`, `${maxTools}`, again];
    });
    expect(tableOf(page, 'client')).toEqual(clients);
  });
});

describe('docs/dialects.md', () => {
  test('has every dialect, with the places of its files', () => {
    const rows = tableOf('docs/dialects.md', 'dialect', 'program');
    expect(rows.map(([name]) => name)).toEqual(DIALECT_NAMES.map(code));
    for (const dialect of DIALECTS.filter(({ files }) => files)) {
      const [name, title, user, project, moved = ''] = rows.find(row => row[0] === code(dialect.name)) ?? [];
      expect([name, title, user, project]).toEqual([
        code(dialect.name),
        dialect.title,
        placesOf(dialect, 'user'),
        placesOf(dialect, 'project'),
      ]);
      if (moved !== '') expect(placesOf(dialect, 'user', { [plain(moved)]: '/moved' })).toMatch(/^`\/moved/);
    }
  });

  test('says what each can hold, as it is written', () => {
    expect(tableOf('docs/dialects.md', 'dialect', 'key')).toEqual(DIALECTS.map(holding));
  });
});

function placesOf(dialect: Dialect, scope: 'user' | 'project', env: Readonly<Record<string, string>> = {}): string {
  const files = dialect.files?.({ home: '/home/ada', cwd: '/project', env, platform: 'linux' }) ?? [];
  const paths = files.filter(file => file.scope === scope).map(({ path }) => path);
  return paths.map(path => code(path.replace('/home/ada', '~').replace('/project/', ''))).join(', ');
}

const PROGRAM = { transport: 'stdio', command: 'program' } as const;
const ADDRESS = { transport: 'http', url: 'https://example.com/mcp' } as const;
type Definition = Parameters<NonNullable<Dialect['write']>>[1][number]['definition'];

/** The row of a dialect, found out by writing one server after the other. */
function holding({ name, write }: Dialect): string[] {
  const written = (definition: Definition) => {
    const writing = write?.({}, [{ id: 'one', definition }]);
    return writing?.leftOut.length === 0 ? writing.edits : undefined;
  };
  const can = (definition: Definition) => (written(definition) ? 'yes' : 'no');
  const withHeader = (value: string) => ({ ...ADDRESS, headers: { 'X-Probe': value } });
  const transports = [PROGRAM, ...(['http', 'sse', 'ws'] as const).map(transport => ({ ...ADDRESS, transport }))];
  const spoken = transports.filter(definition => written(definition));
  const path = written(spoken[0])?.at(-1)?.path ?? [];
  const variable = /from (.*?) to/.exec(JSON.stringify(written(withHeader('from ${NAME} to')) ?? ''))?.[1];
  return [
    code(name),
    code(path.filter(step => step !== 'one').join('.')),
    spoken.map(({ transport }) => transport).join(', '),
    can({ ...PROGRAM, enabled: false }),
    can({ ...PROGRAM, tools: { allow: ['a_tool'] } }),
    can({ ...PROGRAM, tools: { deny: ['a_tool'] } }),
    can({ ...PROGRAM, cwd: '/elsewhere' }),
    variable === undefined ? 'no' : code(variable),
    can(withHeader('${NAME:-fallback}')),
    can(withHeader('${secret:name}')),
  ];
}

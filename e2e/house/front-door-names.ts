/**
 * The names that scripts and people rely on, each with the clause that promises it. A name is added here, never renamed and never
 * taken out. What a clause promises that is still open may be missing.
 */
export interface CommandName {
  readonly clause: string;
  readonly words: string;
  readonly options?: readonly string[];
}

export const COMMANDS: readonly CommandName[] = [
  { clause: '8.2b', words: 'completion' },
  { clause: '8.3a', words: 'validate' },
  ...['add', 'list', 'get', 'remove', 'enable', 'disable', 'test'].map(verb => ({
    clause: '8.4a',
    words: `mcp ${verb}`,
    options: ['scope'],
  })),
  { clause: '8.4b', words: 'mcp login' },
  { clause: '8.4b', words: 'mcp logout' },
  { clause: '8.6a', words: 'mcp call', options: ['args', 'yes', 'direct'] },
  { clause: '8.7a', words: 'mcp tools', options: ['names', 'model', 'client'] },
  { clause: '8.8a', words: 'mcp import', options: ['dry-run'] },
  { clause: '8.9a', words: 'mcp export', options: ['via', 'write', 'out', 'dry-run'] },
  { clause: '8.9g', words: 'mcp export', options: ['undo'] },
  { clause: '8.9h', words: 'mcp export', options: ['remove'] },
  { clause: '8.9i', words: 'mcp export', options: ['check'] },
  ...['set', 'list', 'remove'].map(verb => ({ clause: '8.10a', words: `secret ${verb}` })),
  { clause: '8.10b', words: 'trust' },
  ...['list', 'add', 'remove'].map(verb => ({ clause: '8.10b', words: `trust ${verb}` })),
  { clause: '8.10e', words: 'lock' },
  { clause: '8.10f', words: 'lock diff' },
  { clause: '8.10g', words: 'lock approve' },
  { clause: '8.10h', words: 'auth status' },
  { clause: '8.11a', words: 'explain' },
  { clause: '8.11b', words: 'explain', options: ['agent', 'executor'] },
  { clause: '8.11c', words: 'preflight', options: ['agent', 'executor'] },
  { clause: '8.12a', words: 'doctor', options: ['model', 'client'] },
  { clause: '8.13a', words: 'search', options: ['k', 'catalogue', 'jsonl', 'eval'] },
  { clause: '8.14a', words: 'stats' },
  { clause: '8.14b', words: 'approvals' },
  { clause: '8.14c', words: 'approvals answer' },
  { clause: '8.14d', words: 'calls' },
  { clause: '8.14e', words: 'sessions' },
  { clause: '8.15a', words: 'record' },
  { clause: '8.15b', words: 'replay' },
  { clause: '8.16a', words: 'chat', options: ['model', 'base-url', 'p', 'yes'] },
  { clause: '8.17a', words: 'mcp-server', options: ['http'] },
  { clause: '8.18a', words: 'connect' },
  { clause: '8.19a', words: 'test-server', options: ['stdio', 'http', 'sse', 'ws'] },
  { clause: '8.20b', words: 'hub', options: ['host', 'port', 'database'] },
  { clause: '8.20c', words: 'hub token', options: ['agent', 'revoke'] },
  { clause: '8.20f', words: 'hub status' },
  { clause: '8.20g', words: 'hub stop' },
  { clause: '8.21a', words: 'run' },
];

/** Of every command. */
export const GLOBAL_OPTIONS = ['json', 'config', 'dialect', 'data', 'strict', 'debug', 'validate-config'];

/** Of the hub, by how one asks for them. */
export const PATHS: readonly { readonly clause: string; readonly path: string }[] = [
  { clause: '8.23a', path: '/mcp/codex' },
  { clause: '8.23b', path: '/sse/codex' },
  { clause: '8.23c', path: '/ws/codex' },
  { clause: '8.23d', path: '/servers/demo/mcp' },
  { clause: '8.24a', path: '/api/mcp-config?agent=codex' },
  ...['agents', 'executors', 'servers', 'status', 'tools', 'resolve', 'approvals', 'calls', 'stats', 'sessions'].map(
    name => ({ clause: '8.24b', path: `/api/${name}` }),
  ),
  { clause: '8.24c', path: '/api/events' },
  { clause: '8.24d', path: '/api/openapi.json' },
  { clause: '8.25a', path: '/healthz' },
  { clause: '8.25b', path: '/readyz' },
  { clause: '8.25c', path: '/metrics' },
  { clause: '8.25d', path: '/' },
];

export const EXPORTS: Readonly<Record<string, readonly string[]>> = {
  '@junctor/core': ['createHost', 'parseMcpConfig', 'loadMcpConfig', 'discoverMcpConfigPath', 'resolve'],
  '@junctor/core/pure': ['parseMcpConfig', 'resolve', 'publicNames', 'Gate'],
  '@junctor/adapters/ai-sdk': ['aiTools'],
  '@junctor/adapters/openai': [],
  '@junctor/adapters/anthropic': [],
  '@junctor/adapters/gemini': [],
};

/** Of the repository. */
export const SCRIPTS = ['start', 'test', 'test:rigs', 'check'];
export const REPOSITORY_FILES = ['e2e/conformance/client.ts', 'examples/junctor.json', '.ci/run'];

/** Below a house: each defines a server that has to be found. */
const ENDINGS = ['json', 'jsonc', 'yaml', 'yml', 'toml'];
export const CONFIG_FILES: readonly string[] = [
  ...ENDINGS.map(ending => `project/junctor.${ending}`),
  ...ENDINGS.map(ending => `project/.junctor/config.${ending}`),
  ...ENDINGS.map(ending => `project/junctor.local.${ending}`),
  ...ENDINGS.map(ending => `config/junctor/config.${ending}`),
  'config/junctor/plugins/some/plugin.json',
  'project/.junctor/plugins/some/plugin.json',
];

export const AGENTS = [
  ...['claude-code', 'codex', 'cursor', 'gemini', 'qwen-code', 'opencode', 'kilo', 'copilot', 'droid', 'grok'],
  ...['cline', 'continue', 'goose', 'kimi', 'vscode', 'windsurf', 'zed', 'claude-desktop'],
];

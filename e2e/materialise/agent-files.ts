/** What each agent is to find in its file, as that agent's own documentation and programs have it. */
import type { AGENT_NAMES } from '@junctor/core/light';

type Agent = (typeof AGENT_NAMES)[number];

/** One server for each way there is. */
export const SERVERS = {
  prog: { transport: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { REGION: 'eu' } },
  web: { transport: 'http', url: 'https://example.com/mcp' },
  stream: { transport: 'streamable_http', url: 'https://example.com/stream' },
  old: { transport: 'sse', url: 'https://example.com/sse' },
  sock: { transport: 'ws', url: 'wss://example.com/ws' },
};

const PROGRAM = { command: 'npx', args: ['-y', 'pkg'], env: { REGION: 'eu' } };
const [WEB, STREAM, OLD] = ['mcp', 'stream', 'sse'].map(path => `https://example.com/${path}`);

interface AgentFile {
  readonly file: string;
  readonly content: object;
  readonly leftOut: readonly string[];
}

const typed = {
  prog: { type: 'stdio', ...PROGRAM },
  web: { type: 'http', url: WEB },
  stream: { type: 'http', url: STREAM },
  old: { type: 'sse', url: OLD },
};
const inToml = { prog: PROGRAM, web: { url: WEB }, stream: { url: STREAM } };
const local = { type: 'local', command: ['npx', '-y', 'pkg'], environment: { REGION: 'eu' } };
const remote = { web: { type: 'remote', url: WEB }, stream: { type: 'remote', url: STREAM } };

export const AGENT_FILES: Readonly<Record<Agent, AgentFile>> = {
  'claude-code': { file: '.claude.json', content: { mcpServers: typed }, leftOut: ['sock'] },
  'claude-desktop': {
    file: 'config/Claude/claude_desktop_config.json',
    content: { mcpServers: { prog: PROGRAM } },
    leftOut: ['web', 'stream', 'old', 'sock'],
  },
  cline: {
    file: '.cline/data/settings/cline_mcp_settings.json',
    content: {
      mcpServers: {
        ...typed,
        web: { type: 'streamableHttp', url: WEB },
        stream: { type: 'streamableHttp', url: STREAM },
      },
    },
    leftOut: ['sock'],
  },
  codex: { file: '.codex/config.toml', content: { mcp_servers: inToml }, leftOut: ['old', 'sock'] },
  continue: {
    file: '.continue/config.yaml',
    content: {
      mcpServers: [
        { name: 'prog', type: 'stdio', ...PROGRAM },
        { name: 'web', type: 'streamable-http', url: WEB },
        { name: 'stream', type: 'streamable-http', url: STREAM },
        { name: 'old', type: 'sse', url: OLD },
      ],
    },
    leftOut: ['sock'],
  },
  copilot: {
    file: '.copilot/mcp-config.json',
    content: {
      mcpServers: {
        prog: { type: 'local', ...PROGRAM, tools: ['*'] },
        web: { type: 'http', url: WEB, tools: ['*'] },
        stream: { type: 'http', url: STREAM, tools: ['*'] },
        old: { type: 'sse', url: OLD, tools: ['*'] },
      },
    },
    leftOut: ['sock'],
  },
  cursor: {
    file: '.cursor/mcp.json',
    content: {
      mcpServers: { prog: PROGRAM, web: { url: WEB }, stream: { url: STREAM }, old: { type: 'sse', url: OLD } },
    },
    leftOut: ['sock'],
  },
  droid: { file: '.factory/mcp.json', content: { mcpServers: typed }, leftOut: ['sock'] },
  gemini: {
    file: '.gemini/settings.json',
    content: {
      mcpServers: { prog: PROGRAM, web: { httpUrl: WEB }, stream: { httpUrl: STREAM }, old: { url: OLD, type: 'sse' } },
    },
    leftOut: ['sock'],
  },
  goose: {
    file: 'config/goose/config.yaml',
    content: {
      extensions: {
        prog: {
          type: 'stdio',
          name: 'prog',
          cmd: 'npx',
          args: ['-y', 'pkg'],
          envs: { REGION: 'eu' },
          env_keys: [],
          enabled: true,
        },
        web: { type: 'streamable_http', name: 'web', uri: WEB, env_keys: [], enabled: true },
        stream: { type: 'streamable_http', name: 'stream', uri: STREAM, env_keys: [], enabled: true },
      },
    },
    leftOut: ['old', 'sock'],
  },
  grok: { file: '.grok/config.toml', content: { mcp_servers: inToml }, leftOut: ['old', 'sock'] },
  kilo: {
    file: 'config/kilo/kilo.json',
    content: { mcp: { prog: local, ...remote, old: { type: 'remote', url: OLD } } },
    leftOut: ['sock'],
  },
  kimi: {
    file: '.kimi-code/mcp.json',
    content: {
      mcpServers: {
        prog: { transport: 'stdio', ...PROGRAM },
        web: { transport: 'http', url: WEB },
        stream: { transport: 'http', url: STREAM },
        old: { transport: 'sse', url: OLD },
      },
    },
    leftOut: ['sock'],
  },
  opencode: {
    file: 'config/opencode/opencode.json',
    content: { mcp: { prog: local, ...remote } },
    leftOut: ['old', 'sock'],
  },
  'qwen-code': {
    file: '.qwen/settings.json',
    content: { mcpServers: { prog: PROGRAM, web: { httpUrl: WEB }, stream: { httpUrl: STREAM }, old: { url: OLD } } },
    leftOut: ['sock'],
  },
  vscode: { file: 'config/Code/User/mcp.json', content: { servers: typed }, leftOut: ['sock'] },
  windsurf: {
    file: '.codeium/windsurf/mcp_config.json',
    content: {
      mcpServers: { prog: PROGRAM, web: { serverUrl: WEB }, stream: { serverUrl: STREAM }, old: { serverUrl: OLD } },
    },
    leftOut: ['sock'],
  },
  zed: {
    file: 'config/zed/settings.json',
    content: { context_servers: { prog: PROGRAM, web: { url: WEB }, stream: { url: STREAM } } },
    leftOut: ['old', 'sock'],
  },
};

/** How each agent names the variable that holds its token; undefined: it cannot, and gets a command. */
export const TOKEN_REFERENCE: Readonly<Record<Agent, string | undefined>> = {
  'claude-code': 'Bearer ${JUNCTOR_TOKEN_CLAUDE_CODE}',
  'claude-desktop': undefined,
  cline: undefined,
  codex: 'bearer_token_env_var = "JUNCTOR_TOKEN_CODEX"',
  continue: 'Bearer ${{ secrets.JUNCTOR_TOKEN_CONTINUE }}',
  copilot: 'Bearer ${JUNCTOR_TOKEN_COPILOT}',
  cursor: 'Bearer ${env:JUNCTOR_TOKEN_CURSOR}',
  droid: 'Bearer ${JUNCTOR_TOKEN_DROID}',
  gemini: 'Bearer ${JUNCTOR_TOKEN_GEMINI}',
  goose: 'Bearer ${JUNCTOR_TOKEN_GOOSE}',
  grok: 'Bearer ${JUNCTOR_TOKEN_GROK}',
  kilo: 'Bearer {env:JUNCTOR_TOKEN_KILO}',
  kimi: '"bearerTokenEnvVar": "JUNCTOR_TOKEN_KIMI"',
  opencode: 'Bearer {env:JUNCTOR_TOKEN_OPENCODE}',
  'qwen-code': 'Bearer ${JUNCTOR_TOKEN_QWEN_CODE}',
  vscode: 'Bearer ${env:JUNCTOR_TOKEN_VSCODE}',
  windsurf: 'Bearer ${env:JUNCTOR_TOKEN_WINDSURF}',
  zed: undefined,
};

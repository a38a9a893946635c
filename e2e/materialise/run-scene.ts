/** A hub, and every agent as a program that reports what it was given. */
import { type Home, makeHome, startHub } from '@junctor/testkit';
import { installAgents } from './fake-agent.ts';

export const PROGRAMS = {
  'claude-code': 'claude',
  'claude-desktop': 'claude-desktop',
  cline: 'cline',
  codex: 'codex',
  continue: 'cn',
  copilot: 'copilot',
  cursor: 'cursor-agent',
  droid: 'droid',
  gemini: 'gemini',
  goose: 'goose',
  grok: 'grok',
  kilo: 'kilo',
  kimi: 'kimi',
  opencode: 'opencode',
  'qwen-code': 'qwen',
  vscode: 'code',
  windsurf: 'windsurf',
  zed: 'zed',
} as const;

interface Scene extends AsyncDisposable {
  readonly home: Home;
  readonly hub: Awaited<ReturnType<typeof startHub>>;
  readonly env: Record<string, string>;
}

export async function scene(config: object = { servers: {} }): Promise<Scene> {
  const home = await makeHome();
  const hub = await startHub(home, config);
  const env = await installAgents(home, ...Object.values(PROGRAMS));
  return {
    home,
    hub,
    env,
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

export function initialize(hub: Scene['hub'], agent: string, token: string | undefined): Promise<Response> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  return hub.fetch(`/mcp/${agent}`, {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
}

/** How each agent is started, and how it takes a config for one run. Data: what the programs themselves say and do. */
import { join } from 'node:path';
import type { AGENT_NAMES, Surroundings } from '@junctor/core/light';

export type AgentName = (typeof AGENT_NAMES)[number];

export type Way =
  /** A flag names the file, which comes on top of the person's own. */
  | { readonly kind: 'flag'; flags(file: string): readonly string[] }
  /** A flag names the file, which takes the place of the person's own: so it begins as a copy of that. */
  | { readonly kind: 'flag-instead'; flags(file: string): readonly string[] }
  /** A variable names the file. What it named before, or what is read without it, is kept. */
  | { readonly kind: 'variable'; readonly name: string; usually?(from: Surroundings): string }
  /** Flags set the values themselves. */
  | { readonly kind: 'settings' }
  /** It takes none: its own file is written, and put back afterwards. */
  | { readonly kind: 'own-file' };

export interface Start {
  /** The program, and words it always needs: an editor has to stay, or its file would be put back too soon. */
  readonly command: readonly [string, ...string[]];
  readonly way: Way;
}

const OWN_FILE: Way = { kind: 'own-file' };

export const STARTS: Readonly<Record<AgentName, Start>> = {
  // With `=`, since the flag takes all words after it otherwise.
  'claude-code': { command: ['claude'], way: { kind: 'flag', flags: file => [`--mcp-config=${file}`] } },
  'claude-desktop': { command: ['claude-desktop'], way: OWN_FILE },
  cline: { command: ['cline'], way: OWN_FILE },
  codex: { command: ['codex'], way: { kind: 'settings' } },
  continue: { command: ['cn'], way: { kind: 'flag-instead', flags: file => ['--config', file] } },
  copilot: { command: ['copilot'], way: { kind: 'flag', flags: file => ['--additional-mcp-config', `@${file}`] } },
  cursor: { command: ['cursor-agent'], way: OWN_FILE },
  droid: { command: ['droid'], way: OWN_FILE },
  // Its variable for system settings counts only where root owns the file and all folders above it.
  gemini: { command: ['gemini'], way: OWN_FILE },
  goose: { command: ['goose'], way: OWN_FILE },
  grok: { command: ['grok'], way: OWN_FILE },
  kilo: { command: ['kilo'], way: { kind: 'variable', name: 'KILO_CONFIG' } },
  kimi: { command: ['kimi'], way: OWN_FILE },
  opencode: { command: ['opencode'], way: { kind: 'variable', name: 'OPENCODE_CONFIG' } },
  'qwen-code': {
    command: ['qwen'],
    way: { kind: 'variable', name: 'QWEN_CODE_SYSTEM_SETTINGS_PATH', usually: qwenSystemSettings },
  },
  vscode: { command: ['code', '--wait'], way: OWN_FILE },
  windsurf: { command: ['windsurf', '--wait'], way: OWN_FILE },
  zed: { command: ['zed', '--foreground'], way: OWN_FILE },
};

/** Where an administrator puts settings for everybody on this machine. */
function qwenSystemSettings({ platform, env }: Surroundings): string {
  if (platform === 'darwin') return '/Library/Application Support/QwenCode/settings.json';
  if (platform === 'win32') return join(env.ProgramData || 'C:\\ProgramData', 'qwen-code', 'settings.json');
  return '/etc/qwen-code/settings.json';
}

/** The profiles that come with Junctor. A new one is a file of data and a line here, or a few lines in a config. */
import type { ProfileDef } from '../../config/schema/profile-schema.ts';
import { claudeCode } from './clients/claude-code.ts';
import { claudeDesktop } from './clients/claude-desktop.ts';
import { cline } from './clients/cline.ts';
import { codex } from './clients/codex.ts';
import { continueDev } from './clients/continue.ts';
import { copilot } from './clients/copilot.ts';
import { cursor } from './clients/cursor.ts';
import { defaultClient } from './clients/default.ts';
import { droid } from './clients/droid.ts';
import { geminiCli } from './clients/gemini.ts';
import { goose } from './clients/goose.ts';
import { grok } from './clients/grok.ts';
import { kilo } from './clients/kilo.ts';
import { kimi } from './clients/kimi.ts';
import { opencode } from './clients/opencode.ts';
import { qwenCode } from './clients/qwen-code.ts';
import { vscode } from './clients/vscode.ts';
import { windsurf } from './clients/windsurf.ts';
import { zed } from './clients/zed.ts';
import { anthropic } from './providers/anthropic.ts';
import { bedrock } from './providers/bedrock.ts';
import { defaultModel } from './providers/default.ts';
import { gemini } from './providers/gemini.ts';
import { openai } from './providers/openai.ts';
import { openaiResponses } from './providers/openai-responses.ts';

export type Profiles = Readonly<Record<string, ProfileDef>>;

/** By the id of the provider. */
export const MODEL_PROFILES: Profiles = {
  default: defaultModel,
  anthropic,
  bedrock,
  gemini,
  openai,
  'openai-responses': openaiResponses,
};

/** By the id of the agent. */
export const CLIENT_PROFILES: Profiles = {
  default: defaultClient,
  'claude-code': claudeCode,
  'claude-desktop': claudeDesktop,
  cline,
  codex,
  continue: continueDev,
  copilot,
  cursor,
  droid,
  gemini: geminiCli,
  goose,
  grok,
  kilo,
  kimi,
  opencode,
  'qwen-code': qwenCode,
  vscode,
  windsurf,
  zed,
};

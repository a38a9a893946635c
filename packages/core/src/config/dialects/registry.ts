/** Every dialect, and the choice between them. */
import { claudeCode } from './claude-code.ts';
import { claudeDesktop } from './claude-desktop.ts';
import { cline } from './cline.ts';
import { cocode } from './cocode.ts';
import { codeAgent } from './code-agent.ts';
import { codelia } from './codelia.ts';
import { codex } from './codex.ts';
import { continueDev } from './continue.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import type { Dialect, DialectName } from './dialect.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import { goose } from './goose.ts';
import { grok } from './grok.ts';
import { junctor } from './junctor.ts';
import { kandev } from './kandev.ts';
import { kilo } from './kilo.ts';
import { kimi } from './kimi.ts';
import { opencode } from './opencode.ts';
import { qwenCode } from './qwen-code.ts';
import { sharedMap } from './shared-map.ts';
import { toolloop } from './toolloop.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';
import { zed } from './zed.ts';

export const DIALECTS: readonly Dialect[] = [
  junctor,
  codelia,
  toolloop,
  codeAgent,
  kandev,
  cocode,
  claudeCode,
  claudeDesktop,
  cline,
  codex,
  continueDev,
  copilot,
  cursor,
  droid,
  gemini,
  goose,
  grok,
  kilo,
  kimi,
  opencode,
  qwenCode,
  vscode,
  windsurf,
  zed,
];

/** Files of programs that have no dialect of their own go by the name of the one that is most like them. */
const anyOther: Dialect = { ...sharedMap, name: 'cursor' };

export function dialectNamed(name: DialectName): Dialect {
  return DIALECTS.find(dialect => dialect.name === name) as Dialect;
}

/**
 * The dialects a file may be in. Many programs share the key `mcpServers` and little else: what no dialect claims is read
 * the way most of them do. Where nothing fits it is our own, whose schema then says what is wrong.
 */
export function fittingDialects(file: string, value: unknown): readonly Dialect[] {
  if (junctor.recognise(file, undefined)) return [junctor];
  const fitting = DIALECTS.filter(dialect => dialect.recognise(file, value));
  if (fitting.length > 1) {
    const [byPlace, ...others] = fitting.filter(dialect => dialect.recognise(file, {}));
    // A file that says little fits several formats. Where it lies tells which program reads it.
    if (byPlace && others.length === 0) return [byPlace];
  }
  if (fitting.length > 0) return fitting;
  return sharedMap.recognise(file, value) ? [anyOther] : [junctor];
}

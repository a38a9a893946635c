/** The id of an agent however somebody spells it: `CODEX` is `codex`, `claude_code` is `claude-code`. */
export function agentId(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

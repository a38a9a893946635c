/** A server as flags that set values, for Codex: `-c mcp_servers.junctor={ url = "…" }`. The whole entry, so that nothing of one in its file stays. */
import type { Dialect } from '../dialects/dialect.ts';
import type { WantedServer } from './plan-write.ts';

export async function inlineSettings(dialect: Dialect, server: WantedServer): Promise<string[]> {
  const { renderInline, renderKeys } = await import('../formats/toml/toml-render.ts');
  const edits = dialect.write?.({}, [server]).edits ?? [];
  return edits.flatMap(({ path, value }) => ['-c', `${renderKeys(path.map(String))}=${renderInline(value)}`]);
}

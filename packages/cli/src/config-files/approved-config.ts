/** Your config as far as it counts: what a project file asks for beyond its own servers does once you approved it. */
import { loadMcpConfig, type McpConfigLoadResult } from '@junctor/core/config-read';
import { TrustBook, type TrustState, withApprovedPowers } from '@junctor/core/config-write';
import { dataDirectory } from '@junctor/core/light';
import { type Context, loadOptions } from '../context.ts';

export interface CountingConfig {
  readonly config: McpConfigLoadResult;
  readonly trust: ReadonlyMap<string, TrustState>;
}

/** `telling`: whoever uses it is told what does not count. */
export async function approvedConfig(context: Context, how?: 'telling'): Promise<CountingConfig> {
  const { surroundings, global } = context;
  const book = new TrustBook(dataDirectory(surroundings, global.data), surroundings);
  const { loaded, unapproved } = await withApprovedPowers(await loadMcpConfig(loadOptions(context)), book);
  for (const what of how === 'telling' ? unapproved : [])
    context.talk(`does not count before you approve it (junctor trust list): ${what}`);
  return { config: loaded, trust: await book.states(loaded.servers.values()) };
}

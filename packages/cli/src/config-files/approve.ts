import type { McpServerDef } from '@junctor/core/config-read';
import { TrustBook } from '@junctor/core/config-write';
import { dataDirectory } from '@junctor/core/light';
import type { Context } from '../context.ts';
import { isOfProject, type Target } from './scope.ts';

/** Whoever writes a server into a file of a project has seen its definition. Other files need no approval. */
export async function approveWritten(
  context: Context,
  target: Target,
  servers: readonly { readonly id: string; readonly definition: McpServerDef }[],
): Promise<void> {
  if (!isOfProject(target)) return;
  const { surroundings, global } = context;
  const book = new TrustBook(dataDirectory(surroundings, global.data), surroundings);
  await book.approve(servers.map(server => ({ ...server, file: target.file })));
}

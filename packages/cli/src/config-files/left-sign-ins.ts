/** Sign-ins to a server which is no more: a person decides whether to stay signed in. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectory } from '@junctor/core/light';
import { type Context, hostOptions } from '../context.ts';

/** Signs out where that is wanted, and tells the authorization servers. Returns what is left. */
export async function forgetSignIns(context: Context, id: string, asked: boolean): Promise<string[]> {
  const { surroundings, global } = context;
  // Most servers need no sign-in, and opening a host takes a moment.
  if (!existsSync(join(dataDirectory(surroundings, global.data), 'mcp-auth.json'))) return [];
  const { createHost, signInsOf, signOut } = await import('@junctor/core');
  await using host = await createHost(hostOptions(context));
  const left = await signInsOf(host, id);
  if (left.length === 0) return [];
  if (asked || (context.interactive && (await agreed(context, id)))) {
    await signOut(host, id, { all: true });
    context.talk(`signed out of ${left.join(', ')}`);
    return [];
  }
  context.talk(`you are still signed in to ${left.join(', ')}; to sign out: junctor mcp logout ${id} --all`);
  return left;
}

async function agreed(context: Context, id: string): Promise<boolean> {
  const { askYesNo } = await import('../output/ask.ts');
  return askYesNo(`You are signed in to '${id}'. Sign out of it too?`, context.signal);
}

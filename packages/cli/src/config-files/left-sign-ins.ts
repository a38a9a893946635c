/** Sign-ins to a server which is no more: a person decides whether to stay signed in. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectory } from '@junctor/core/light';
import { type Context, hostOptions } from '../context.ts';

/** To be asked before the definition is removed: a hub tells only of servers that it has. */
export async function signInsTo(context: Context, id: string): Promise<string[]> {
  const { signInsOfHub } = await import('../hub/hub-sign-ins.ts');
  const there = (await signInsOfHub(context)).filter(({ server }) => server === id);
  const names = there.map(({ account }) => (account === undefined ? id : `${id}#${account}`));
  return [...new Set([...(await inFile(context, id)), ...names])];
}

/** Signs out where that is wanted, and tells the authorization servers. Returns what is left. */
export async function forgetSignIns(
  context: Context,
  id: string,
  found: readonly string[],
  asked: boolean,
): Promise<readonly string[]> {
  if (found.length === 0 && !asked) return [];
  if (!asked && !(context.interactive && (await agreed(context, id)))) {
    context.talk(`you are still signed in to ${found.join(', ')}; to sign out: junctor mcp logout ${id} --all`);
    return found;
  }
  const { createHost, signOut } = await import('@junctor/core');
  const { signOutOfHub } = await import('../hub/hub-sign-ins.ts');
  await using host = await createHost(hostOptions(context));
  const here = await signOut(host, id, { all: true });
  const there = await signOutOfHub(context, id, { all: true });
  const names = [...new Set([...here, ...there])];
  if (names.length > 0) context.talk(`signed out of ${names.join(', ')}`);
  return [];
}

async function inFile(context: Context, id: string): Promise<string[]> {
  const { surroundings, global } = context;
  // Most servers need no sign-in, and opening a host takes a moment.
  if (!existsSync(join(dataDirectory(surroundings, global.data), 'mcp-auth.json'))) return [];
  const { createHost, signInsOf } = await import('@junctor/core');
  await using host = await createHost({ ...hostOptions(context), strict: false });
  return signInsOf(host, id);
}

async function agreed(context: Context, id: string): Promise<boolean> {
  const { askYesNo } = await import('../output/ask.ts');
  return askYesNo(`You are signed in to '${id}'. Sign out of it too?`, context.signal);
}

/** Secrets that were stored for a server which is no more: a person decides whether they go, too. */
import { loadMcpConfig, type McpServerDef } from '@junctor/core/config-read';
import { isSecretOfFile, secretNames } from '@junctor/core/config-write';
import { type Context, loadOptions } from '../context.ts';
import { secretsOf } from './secrets-of.ts';

export interface LeftSecrets {
  /** Stored for this very file, and named by nothing any more. */
  readonly own: readonly string[];
  /** Named by nothing that applies here; a server of another project may need them. */
  readonly others: readonly string[];
}

/** To be asked before the definition is removed. Undefined where this file does not define the server. */
export async function definitionIn(context: Context, file: string, id: string): Promise<McpServerDef | undefined> {
  const { servers } = await loadMcpConfig({ ...loadOptions(context), strict: false });
  const server = servers.get(id);
  return server && [server, ...server.hides].find(one => one.file === file)?.definition;
}

/** To be asked afterwards. */
export async function secretsLeftBy(context: Context, file: string, removed: McpServerDef): Promise<LeftSecrets> {
  const named = secretNames(removed);
  if (named.length === 0) return { own: [], others: [] };
  const { servers } = await loadMcpConfig({ ...loadOptions(context), strict: false });
  const needed = new Set(
    [...servers.values()].flatMap(({ definition, hides }) =>
      secretNames([definition, hides.map(one => one.definition)]),
    ),
  );
  const stored = new Set(await (await secretsOf(context)).list());
  const left = named.filter(name => stored.has(name) && !needed.has(name));
  return {
    own: left.filter(name => isSecretOfFile(name, file)),
    others: left.filter(name => !isSecretOfFile(name, file)),
  };
}

/** Asks at a terminal; without one nothing is removed that was not asked for. */
export async function removeLeft(context: Context, { own, others }: LeftSecrets, asked: boolean): Promise<string[]> {
  const isMeant = own.length > 0 && (asked || (context.interactive && (await agreed(context, own))));
  const secrets = isMeant ? await secretsOf(context) : undefined;
  for (const name of secrets ? own : []) {
    await secrets?.remove(name);
    context.talk(`removed the secret ${name}`);
  }
  for (const name of secrets ? others : [...own, ...others])
    context.talk(`the secret ${name} is still stored; to remove it: junctor secret remove ${name}`);
  return secrets ? [...own] : [];
}

async function agreed(context: Context, names: readonly string[]): Promise<boolean> {
  const { askYesNo } = await import('../output/ask.ts');
  const what = names.length === 1 ? `the secret ${names[0]}` : `the secrets ${names.join(', ')}`;
  return askYesNo(`Nothing else names ${what}. Remove ${names.length === 1 ? 'it' : 'them'} too?`, context.signal);
}

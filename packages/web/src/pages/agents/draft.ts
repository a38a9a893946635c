/** The server list of an agent while somebody edits it: one text, of which both editors are views. */
import type { AgentConfig } from '@junctor/hub/answers';

/** As the JSON editor shows it. The switch is not part of it: it counts at once, the list only when it is saved. */
export interface ServerList {
  readonly servers: Readonly<Record<string, EditedServer>>;
  readonly meta?: AgentConfig['meta'];
}

/** Anything may stand here while it is being written; the hub judges it. */
export type EditedServer = Readonly<Record<string, unknown>>;

export function textOf({ servers, meta }: Pick<AgentConfig, 'servers' | 'meta'> | ServerList): string {
  return JSON.stringify({ servers, ...(meta === undefined ? {} : { meta }) }, undefined, 2);
}

/** The list a text holds; or why it holds none. */
export function listIn(text: string): { readonly list: ServerList } | { readonly because: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { because: `This is not JSON: ${(error as Error).message}` };
  }
  if (!isObject(value) || !isObject(value.servers))
    return { because: 'Expected an object with "servers": an object with a server for each id.' };
  const wrong = Object.entries(value.servers).find(([, server]) => !isObject(server));
  if (wrong) return { because: `servers.${wrong[0]}: expected an object.` };
  const unknown = Object.keys(value).find(key => key !== 'servers' && key !== 'meta');
  if (unknown !== undefined) return { because: `Unknown key '${unknown}'. Expected "servers" and "meta".` };
  return { list: value as unknown as ServerList };
}

export function withServer(list: ServerList, id: string, server: EditedServer | undefined): ServerList {
  const { [id]: _before, ...others } = list.servers;
  if (server) return { ...list, servers: { ...list.servers, [id]: server } };
  const { [id]: _shown, ...meta } = list.meta ?? {};
  return { servers: others, ...(Object.keys(meta).length > 0 ? { meta } : {}) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

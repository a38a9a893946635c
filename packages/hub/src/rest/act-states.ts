/**
 * What an act changes, as it may be written down before and after it. An act that is not here is described by what was asked
 * for. Bodies that may hold secrets are never: servers, agents' configs, imported texts and secrets are all here.
 */
import { maskDefinition } from '@junctor/core/config-read';
import type { ActAsked } from './acts.ts';
import { settingsOf } from './config-settings.ts';
import { maskPolicy, shownPolicy } from './policies.ts';
import type { Rooms } from './rooms.ts';

type State = (asked: ActAsked, rooms: Rooms) => Promise<unknown>;

const server: State = async ({ params, body }, { book }) => {
  const id = params?.id ?? (body as { id?: string } | undefined)?.id ?? '';
  const found = book.common.loaded.servers.get(id);
  return found && maskDefinition(found.definition);
};

const servers: State = async (_asked, { book }) => [...book.common.loaded.servers.keys()];

/** By id. A token that is made or rotated is in the list after that. */
const tokens: State = async (_asked, { tokens }) =>
  (await tokens.list()).map(({ id, name, agent, opens, expires }) => ({ id, name, agent, opens, expires }));

const policy: State = async ({ params }, rooms) => {
  const { executor = '', agent } = params ?? {};
  return maskPolicy(shownPolicy(rooms, { executor, agent }));
};

const agentConfig: State = async ({ query }, { book }) => {
  const stored = book.stored.configs.get(query?.agent ?? '');
  if (!stored) return undefined;
  const names = Object.entries(stored.servers).map(([id, one]) => [id, maskDefinition(one as never)]);
  return { enabled: stored.enabled, servers: Object.fromEntries(names) };
};

const approval: State = async ({ params }, { inbox, approvalRows }) => {
  await inbox.settled();
  const row = await approvalRows.find(params?.id ?? '');
  if (!row) return undefined;
  const { agent, server, tool, outcome, answered_by } = row;
  return { agent, server, tool, outcome, answered_by };
};

const grant: State = async ({ params }, { book }) => {
  const grants = await book.common.grants.list();
  return grants.find(({ id }) => id === params?.id);
};

const settings: State = async (_asked, { book }) =>
  Object.fromEntries(
    settingsOf(book.common.loaded)
      .filter(({ value }) => value !== null)
      .map(({ section, key, value }) => [`${section}.${key}`, value]),
  );

/** By name: nothing of its value. */
const secret: State = async () => undefined;

export const STATES: Readonly<Record<string, State | undefined>> = {
  'server.add': server,
  'server.define': server,
  'server.switch': server,
  'server.remove': server,
  'server.restore': server,
  'server.import': servers,
  'token.create': tokens,
  'token.rotate': tokens,
  'token.revoke': tokens,
  'token.revoke-made-by': tokens,
  'executor.set': policy,
  'executor.remove': policy,
  'agent.policy.set': policy,
  'agent.policy.remove': policy,
  'agent.config.set': agentConfig,
  'agent.config.remove': agentConfig,
  'approval.answer': approval,
  'grant.revoke': grant,
  'config.settings': settings,
  'secret.set': secret,
  'secret.remove': secret,
};

/** Stores what somebody posts for an agent, once nothing speaks against it: all of it or nothing. */
import type { Host, Problem } from '@junctor/core';
import { agentMeant } from '@junctor/core/light';
import { type AgentMcpConfig, definitionsOf, type PostedServer } from '../agents/agent-config.ts';
import { maskedPlaces, unmasked } from '../agents/masked-values.ts';
import { previewOf } from '../agents/preview.ts';
import { readAgentConfig } from '../agents/read-agent-config.ts';
import { configOf, realConfigOf } from './agent-view.ts';
import { checkTag, tagOf } from './etag.ts';
import { type BodyProblem, invalid } from './failure.ts';
import type { Rooms } from './rooms.ts';
import { hideAll, isKeptFor, keepSecrets, secretsNamedIn } from './secrets.ts';

export interface PostedConfig {
  readonly enabled: boolean;
  readonly servers: Readonly<Record<string, unknown>>;
  readonly meta?: AgentMcpConfig['meta'] | undefined;
}

export interface StoredAnswer {
  readonly tag: string;
  readonly warnings: readonly { readonly server?: string; readonly message: string }[];
  /** The names of the secrets that were stored. */
  readonly secrets: readonly string[];
}

export async function postConfig(
  rooms: Rooms,
  agent: string,
  posted: PostedConfig,
  { headers, executor }: { readonly headers: Headers; readonly executor: string },
): Promise<StoredAnswer> {
  const before = configOf(rooms, agent);
  const newAgent = rooms.book.knows(agent) ? [] : [unknownAgent(agent, rooms.book.ids())];
  const config = readPosted(rooms, agent, posted);
  const { warnings, errors } = previewOf({ ...config, enabled: true }, filesAndStored(rooms), { executor });
  if (errors.length > 0) throw invalid(notValid(agent), errors.map(wrongMode));
  const place = `agent ${agent}`;
  const hidden = hideAll(place, definitionsOf(config));
  const stored = withReferences(config, hidden.definitions);
  await rooms.agentRows.replaceConfig(agent, JSON.stringify(stored), present => {
    const now = present === undefined ? before : (JSON.parse(present) as AgentMcpConfig);
    checkTag(headers, tagOf(now), { exists: present !== undefined });
  });
  // Only now is it certain that something refers to them; before, they might have replaced what another one needs.
  const named = secretsNamedIn(stored);
  const unused = [...secretsNamedIn(before)].filter(name => !named.has(name) && isKeptFor(place, name));
  await keepSecrets(rooms, { secrets: hidden.secrets, unused });
  await rooms.book.refresh(agent);
  return {
    tag: tagOf(stored),
    warnings: [...warnings, ...overruled(rooms), ...newAgent, ...strayMeta(posted)],
    secrets: hidden.secrets.map(({ name }) => name),
  };
}

/** What was posted, every mask replaced by what stands behind it. Throws with all that is wrong. */
export function readPosted(rooms: Rooms, agent: string, posted: PostedConfig): AgentMcpConfig {
  const meant = unmasked(posted, configOf(rooms, agent), realConfigOf(rooms, agent)) as PostedConfig;
  const { config, problems } = readAgentConfig(agent, meant);
  const wrong = [...problems.map(inBody), ...maskedPlaces(meant).map(masked)];
  if (wrong.length > 0) throw invalid(notValid(agent), wrong);
  return config;
}

export function filesAndStored({ book }: Rooms, host: Host = book.common): Parameters<typeof previewOf>[1] {
  return { loaded: host.loaded, stored: book.stored };
}

/** Key by key as it was posted, with references where secrets were. */
function withReferences(config: AgentMcpConfig, hidden: ReturnType<typeof hideAll>['definitions']): AgentMcpConfig {
  const servers = Object.entries(config.servers).map(([id, server]) => {
    const definition = hidden[id] as Record<string, unknown>;
    const entries = Object.entries(server).map(([key, value]) => [key, key === 'type' ? value : definition[key]]);
    return [id, Object.fromEntries(entries) as PostedServer] as const;
  });
  return { ...config, servers: Object.fromEntries(servers) };
}

function overruled({ book }: Rooms): { message: string }[] {
  if (book.common.loaded.layers[0]?.name !== 'enterprise') return [];
  return [
    { message: 'The policy of your organisation decides which servers agents get: this counts once it is gone.' },
  ];
}

/** An agent of your own begins so; a misspelt one would, too. */
function unknownAgent(agent: string, known: readonly string[]): { message: string } {
  const meant = agentMeant(agent, known);
  const hint = meant === undefined ? '' : ` Did you mean '${meant}'?`;
  return { message: `'${agent}' is a new agent: no agent of this id was known.${hint}` };
}

function strayMeta({ servers, meta = {} }: PostedConfig): { message: string }[] {
  const stray = Object.keys(meta).filter(id => !Object.hasOwn(servers, id));
  return stray.map(id => ({ message: `'meta' describes '${id}', and there is no such server.` }));
}

function notValid(agent: string): string {
  return `The config of '${agent}' is not valid`;
}

function inBody({ file: _file, ...problem }: Problem): BodyProblem {
  return problem;
}

function masked(path: string): BodyProblem {
  const message = 'The value is masked, and it is not known what stands behind it.';
  return { path, message, fix: 'Write the value itself, or a reference such as ${secret:NAME}.' };
}

function wrongMode({ server, message }: { readonly server: string; readonly message: string }): BodyProblem {
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  const fix = 'Set mode to per_session or auto, or switch stdio_proxy on for that executor.';
  return { path: `servers.${server}.mode`, message: sentence, server, fix };
}

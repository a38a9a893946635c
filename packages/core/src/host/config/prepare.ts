/** From what is written to what may run: read the layers, ask for trust, fill in variables, resolve. */
import { resolve as resolvePath } from 'node:path';
import { isJunctorError, sentenceOf } from '../../base/error.ts';
import type { Redactor } from '../../base/log/redact.ts';
import { isEnabled, type LoadedServer } from '../../config/layers.ts';
import {
  type LoadMcpConfigOptions,
  loadMcpConfig,
  type McpConfigLoadResult,
  toolTimeoutIn,
} from '../../config/load.ts';
import { literalSecrets } from '../../config/masking/literal-secrets.ts';
import type { McpServerDef } from '../../config/schema/server-schema.ts';
import type { SecretStore } from '../../config/secrets/secret-store.ts';
import { dataDirectory, projectFolder, type Surroundings } from '../../config/sources/places.ts';
import { cameWithProject } from '../../config/sources/sources.ts';
import { withApprovedPowers } from '../../config/trust/approved-powers.ts';
import type { AskedPower } from '../../config/trust/project-powers.ts';
import { TrustBook } from '../../config/trust/trust.ts';
import { badUrl } from '../../config/validate/bad-url.ts';
import {
  describeMissing,
  type Expanded,
  expandVariables,
  PORT_REFERENCE,
  type VariableValues,
} from '../../config/variables.ts';
import { readLocks, whyLockedOut } from '../../permissions/lockfile/lock-place.ts';
import type { ToolLock } from '../../permissions/lockfile/tool-lock.ts';
import { waitingPlace } from '../../resolve/place-waits.ts';
import { type Resolution, type ResolveInput, resolve } from '../../resolve/resolve.ts';
import type { LeftOut } from '../../resolve/roster.ts';

export interface PrepareOptions
  extends LoadMcpConfigOptions,
    Pick<ResolveInput, 'agent' | 'executor' | 'session' | 'fromHere'> {
  readonly surroundings: Surroundings;
  readonly data?: string | undefined;
  readonly redactor: Redactor;
  /** Secrets of a program's own, asked before those of the data directory. */
  readonly secrets?: Pick<SecretStore, 'get'> | undefined;
  /** The lockfile for servers that stand in no file. */
  readonly lockfile?: string | undefined;
}

export interface Prepared {
  readonly loaded: McpConfigLoadResult;
  readonly resolution: Resolution;
  /** What project files ask for that does not count yet. */
  readonly unapproved: readonly string[];
  /** The same, as it is written. */
  readonly waiting: readonly AskedPower[];
  /** Which tools lockfiles let through. */
  readonly lock: ToolLock;
}

export async function prepare(options: PrepareOptions): Promise<Prepared> {
  const { surroundings, agent, executor, session, fromHere } = options;
  const book = new TrustBook(dataDirectory(surroundings, options.data), surroundings);
  const { loaded, unapproved, waiting } = await withApprovedPowers(await loadMcpConfig(options), book);
  const trust = await book.states(loaded.servers.values());
  const { lock, broken } = await readLocks(loaded.servers, options);
  const values = variableValues(options);
  const servers = new Map<string, LoadedServer>(loaded.servers);
  const unusable = new Map<string, Omit<LeftOut, 'id'>>();
  const nowhere = waitingPlace(waiting, loaded.frame, { agent, executor });
  for (const server of loaded.servers.values()) {
    if (!isEnabled(server)) continue;
    // Before a person said yes, no secret is read for it either.
    const lockedOut = whyLockedOut(server, broken, options);
    if (trust.get(server.id) === 'waiting') unusable.set(server.id, waitingFor(server));
    else if (nowhere !== undefined && server.definition.command !== undefined) unusable.set(server.id, nowhere);
    else if (lockedOut !== undefined) unusable.set(server.id, lockedOut);
    else await fillIn(server, values, options, servers, unusable);
  }
  const problems = [...loaded.problems, ...[...broken.values()].flat()];
  const config = { enabled: loaded.enabled, frame: loaded.frame, servers, problems };
  const toolTimeoutMs = toolTimeoutIn(surroundings.env);
  return {
    loaded: { ...loaded, problems },
    unapproved,
    waiting,
    lock,
    resolution: resolve({ config, agent, executor, session, fromHere, starts: true, unusable, toolTimeoutMs }),
  };
}

async function fillIn(
  server: LoadedServer,
  values: VariableValues,
  { redactor, surroundings }: Pick<PrepareOptions, 'redactor' | 'surroundings'>,
  servers: Map<string, LoadedServer>,
  unusable: Map<string, Omit<LeftOut, 'id'>>,
): Promise<void> {
  let expanded: Expanded;
  try {
    expanded = await expandVariables(server.definition, values);
  } catch (error) {
    // A secret that cannot be read costs the server that names it, and no other.
    const why = isJunctorError(error) && error.why !== undefined ? `: ${error.why}` : '';
    unusable.set(server.id, { because: `${sentenceOf(error).replace(/\.$/, '')}${why}`, kind: 'broken' });
    return;
  }
  const because = whyNot(server.id, expanded);
  if (because !== undefined) unusable.set(server.id, { because, kind: 'broken' });
  if (!expanded.ok) return;
  for (const secret of [...expanded.secrets, ...literalSecrets(expanded.definition)]) redactor.learn(secret);
  servers.set(server.id, { ...server, definition: inProjectFolder(server, expanded.definition, surroundings) });
}

/** A project's programs start in its folder, wherever inside it Junctor was started: that is what was approved. */
function inProjectFolder(server: LoadedServer, definition: McpServerDef, surroundings: Surroundings): McpServerDef {
  if (definition.command === undefined || server.file === undefined) return definition;
  if (!cameWithProject(server.layer, server.file, surroundings)) return definition;
  return { ...definition, cwd: resolvePath(projectFolder(server.file), definition.cwd ?? '.') };
}

function whyNot(id: string, expanded: Expanded): string | undefined {
  if (!expanded.ok) return `${describeMissing(expanded.missing)} is not set`;
  const { definition } = expanded;
  if (definition.transport === 'stdio') return undefined;
  // Which port it will be is known only when the server is started.
  const url = definition.url.replaceAll(PORT_REFERENCE, '1');
  return badUrl(id, { ...definition, url })?.message.replace(/\.$/, '');
}

function waitingFor({ source, layer }: LoadedServer): Omit<LeftOut, 'id'> {
  return { because: `it is defined in the ${layer} file ${source}, and nobody has approved it yet`, kind: 'waiting' };
}

/** The store is opened only when some server names a secret. */
function variableValues({ surroundings, data, secrets }: PrepareOptions): VariableValues {
  let store: Promise<SecretStore> | undefined;
  return {
    env: surroundings.env,
    async secret(name) {
      const own = await secrets?.get(name);
      if (own !== undefined) return own;
      store ??= import('../../config/secrets/open-secrets.ts').then(({ openSecrets }) =>
        openSecrets({ surroundings, dataDirectory: dataDirectory(surroundings, data) }),
      );
      return (await store).get(name);
    },
  };
}

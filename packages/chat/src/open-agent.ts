/** Puts an agent together: a host with its servers, a model, and a place for what is said. */
import { pathToFileURL } from 'node:url';
import { createHost, type Host, type HostOptions, type HostWatchListener, watchHost } from '@junctor/core';
import { dataDirectory, ownSurroundings, Redactor, type Surroundings } from '@junctor/core/light';
import type { Agent } from './conversation.ts';
import { instructionsFor } from './instructions.ts';
import { chooseModel, type ModelWords } from './models/model-choice.ts';
import { modelKey, withoutKeys } from './models/model-key.ts';
import { openModel } from './models/open-model.ts';
import { sampleWith } from './models/sample.ts';
import { FileChanges } from './native/change-file.ts';
import { Sessions } from './sessions.ts';

/** Which model, which servers, and where things are kept. */
export interface AgentOptions extends ModelWords {
  /** The servers, and who answers for them: as for `createHost`. Default: what the files of the working directory say. */
  readonly hostOptions?: HostOptions | undefined;
  /** The folder it works in, the environment it has, and the home of the person. Default: those of this process. */
  readonly surroundings?: Surroundings | undefined;
  /** Masks what is secret. Default: one that knows what the config resolves. */
  readonly redactor?: Redactor | undefined;
  /** Where conversations are kept, and all that a host keeps. Default: `$JUNCTOR_DATA`, else the person's data directory. */
  readonly data?: string | undefined;
  /** How long a question waits for servers that are still starting. Default: 60,000. */
  readonly patienceMs?: number | undefined;
}

/** A host with its servers, a model, and a place for what is said. Hold it with `await using`: the host ends with it. */
export interface OpenAgent extends Agent, AsyncDisposable {
  /** Reads the config again whenever a file that counts changes, until it is disposed. */
  follow(listener: HostWatchListener): Disposable;
}

/** Nobody sits there who could ask again. */
const PATIENCE_MS = 60_000;

/** Whoever opens it closes it: the host ends with it. */
export async function openAgent(options: AgentOptions): Promise<OpenAgent> {
  const { surroundings = ownSurroundings(), redactor = new Redactor(), data, patienceMs = PATIENCE_MS } = options;
  const { cwd, env } = surroundings;
  const directory = dataDirectory(surroundings, data);
  const choice = chooseModel({
    model: options.model ?? env.JUNCTOR_MODEL,
    baseUrl: options.baseUrl ?? env.JUNCTOR_BASE_URL,
    command: options.command,
  });
  const key = await modelKey(choice, { surroundings, dataDirectory: directory, redactor });
  const model = await openModel(choice, key);
  const roots = [{ uri: pathToFileURL(cwd).href, name: 'working directory' }];
  const own = { surroundings, redactor, data, roots, sample: sampleWith(model) };
  const hostOptions: HostOptions = { ...own, ...options.hostOptions, connect: 'lazy' };
  const host = await createHost(hostOptions);
  const toolsChangedAt = new Map<string, number>();
  host.events.on('list-changed', ({ server, list }) => {
    if (list === 'tools') toolsChangedAt.set(server, Date.now());
  });
  connectEagerly(host);
  return {
    host,
    model,
    modelName: choice.provider === 'compatible' ? choice.name : `${choice.provider}/${choice.name}`,
    cwd,
    env: withoutKeys(env),
    files: new FileChanges(),
    instructions: instructionsFor(cwd, new Date().toISOString().slice(0, 10)),
    sessions: new Sessions(directory, redactor),
    maskKnown: text => redactor.maskKnown(text),
    answers: { mask: text => redactor.maskKnown(text), unfinishedAt: text => redactor.unfinishedAt(text) },
    away: new Set(),
    toolsChangedAt,
    patienceMs,
    follow: listener => watchHost(host, hostOptions, listener),
    [Symbol.asyncDispose]: () => host.close(),
  };
}

/** Unless the config says otherwise: whoever talks does not want to wait for servers at the first question. */
function connectEagerly(host: Host): void {
  if (host.loaded.frame.startup?.connect !== 'lazy') void host.start();
}

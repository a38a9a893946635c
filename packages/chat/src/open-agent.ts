/** Puts an agent together: a host with its servers, a model, and a place for what is said. */
import { createHost, type Host, type HostOptions } from '@junctor/core';
import { dataDirectory, type Redactor, type Surroundings } from '@junctor/core/light';
import type { Agent } from './conversation.ts';
import { instructionsFor } from './instructions.ts';
import { chooseModel, type ModelWords } from './models/model-choice.ts';
import { modelKey, withoutKeys } from './models/model-key.ts';
import { openModel } from './models/open-model.ts';
import { sampleWith } from './models/sample.ts';
import { Sessions } from './sessions.ts';

export interface AgentOptions extends ModelWords {
  readonly hostOptions: HostOptions;
  readonly surroundings: Surroundings;
  readonly redactor: Redactor;
  readonly data?: string | undefined;
  readonly patienceMs: number;
}

export interface OpenAgent extends Agent, AsyncDisposable {}

/** Whoever opens it closes it: the host ends with it. */
export async function openAgent(options: AgentOptions): Promise<OpenAgent> {
  const { surroundings, redactor, patienceMs } = options;
  const { cwd, env } = surroundings;
  const directory = dataDirectory(surroundings, options.data);
  const choice = chooseModel({
    model: options.model ?? env.JUNCTOR_MODEL,
    baseUrl: options.baseUrl ?? env.JUNCTOR_BASE_URL,
  });
  const key = await modelKey(choice, { surroundings, dataDirectory: directory, redactor });
  const model = await openModel(choice, key);
  const roots = [{ uri: new URL(`file://${cwd}`).href, name: 'working directory' }];
  const host = await createHost({ roots, sample: sampleWith(model), ...options.hostOptions, connect: 'lazy' });
  connectEagerly(host);
  return {
    host,
    model,
    modelName: choice.provider === 'compatible' ? choice.name : `${choice.provider}/${choice.name}`,
    cwd,
    env: withoutKeys(env),
    instructions: instructionsFor(cwd, new Date().toISOString().slice(0, 10)),
    sessions: new Sessions(directory, redactor),
    maskKnown: text => redactor.maskKnown(text),
    away: new Set(),
    patienceMs,
    [Symbol.asyncDispose]: () => host.close(),
  };
}

/** Unless the config says otherwise: whoever talks does not want to wait for servers at the first question. */
function connectEagerly(host: Host): void {
  if (host.loaded.frame.startup?.connect !== 'lazy') void host.start();
}

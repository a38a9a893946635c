/** REST of the hub that runs on this data directory, for commands that ask it. */
import { join } from 'node:path';
import { dataDirectory, errorFrom, JunctorError, type Told } from '@junctor/core/light';
import { findHub, type HubFile } from '@junctor/hub';
import type { Context } from '../context.ts';
import { askProject } from './open-pipe.ts';
import { workPlace } from './work-place.ts';

/** Where `npm start` keeps its data, in the folder it is run in. */
const WORKSPACE_DATA = '.junctor';

export interface HubEvent {
  readonly type: string;
  readonly data: unknown;
}

export class HubRest {
  readonly #hub: HubFile;
  readonly #signal: AbortSignal;

  private constructor(hub: HubFile, signal: AbortSignal) {
    this.#hub = hub;
    this.#signal = signal;
  }

  get url(): string {
    return this.#hub.url;
  }

  /** Undefined where none runs. */
  static async find({ surroundings, global, signal, redactor }: Context): Promise<HubRest | undefined> {
    const hub = await findHub(dataDirectory(surroundings, global.data));
    if (!hub) return undefined;
    redactor.learn(hub.token);
    return new HubRest(hub, signal);
  }

  static async open(context: Context): Promise<HubRest> {
    const found = await HubRest.find(context);
    if (found) return found;
    const { surroundings, global } = context;
    const data = dataDirectory(surroundings, global.data);
    const beside = await findHub(join(surroundings.cwd, WORKSPACE_DATA));
    throw new JunctorError('hub_required', 'No hub runs on this data directory.', {
      why: `nothing answers for ${data}`,
      hint: beside
        ? `add --data ${WORKSPACE_DATA}: the hub at ${beside.url} runs on that directory`
        : 'junctor hub starts one; --data DIR names another data directory',
    });
  }

  /** The answer of the hub as it is documented; its refusals are thrown in its own words. */
  async ask<Answer>(path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}): Promise<Answer> {
    const response = await this.#fetch(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const answer: unknown = await response.json().catch(() => ({}));
    if (response.ok) return answer as Answer;
    throw refusalIn(answer, response.status);
  }

  /** The id of the project that a command is typed in; undefined where the hub itself serves it. */
  async projectOf(context: Context): Promise<string | undefined> {
    return (await askProject(this.#hub, workPlace(context)))?.id ?? undefined;
  }

  /** What happens in the hub, from now on. `onOpen`: from here on nothing is missed. */
  async *events(types: readonly string[], onOpen: () => void): AsyncGenerator<HubEvent> {
    const response = await this.#fetch(`/api/events?types=${types.join()}`, {});
    onOpen();
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() as string;
      for (const block of blocks) {
        const [, type] = /^event: (.*)$/m.exec(block) ?? [];
        const [, data] = /^data: (.*)$/m.exec(block) ?? [];
        if (type !== undefined && data !== undefined) yield { type, data: JSON.parse(data) };
      }
    }
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const { url, token } = this.#hub;
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    try {
      return await fetch(`${url}${path}`, { ...init, headers, signal: this.#signal });
    } catch (error) {
      if (this.#signal.aborted) throw this.#signal.reason;
      throw new JunctorError('connection_failed', `The hub at ${url} does not answer.`, {
        why: (error as Error).message,
        hint: 'junctor hub status',
        cause: error,
      });
    }
  }
}

function refusalIn(answer: unknown, status: number): JunctorError {
  const { error } = answer as { error?: Partial<Told> };
  if (error?.code === undefined || error.message === undefined)
    return new JunctorError('internal', `The hub answered with status ${status}.`, {
      why: 'its answer does not say what went wrong',
      hint: 'junctor hub status; what runs there may be another version, or another program',
    });
  return errorFrom(error as Told);
}

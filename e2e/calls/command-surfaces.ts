/** The commands of Junctor as surfaces: `mcp call` with and without a hub, `connect` and `record`. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ToolRef } from '@junctor/core';
import { type Home, JUNCTOR, type RunningHub } from '@junctor/testkit';
import { openTerminal } from '@junctor/testkit/terminal';
import { expect } from 'vitest';
import { rest } from '../hub/rest-client.ts';
import { audited, type CallOptions, type Observed, revokeAt, type Surface, toldBy, withoutCode } from './surfaces.ts';

/** What a command that keeps no audit shows of a call. */
export type Shown = Pick<Observed, 'code' | 'sentence'>;

/** Such a command shows neither the decision nor the outcome: its code and its sentence are all there is to compare. */
export const unaudited = (shown: Shown): Observed => ({ ...NOT_SHOWN, ...shown, audit: undefined });
export const NOT_SHOWN = { verdict: 'not shown', because: 'not shown', outcome: 'not shown' } as const;

interface Answered {
  readonly error?: { readonly message?: string; readonly data?: { readonly code?: string } };
  readonly result?: { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };
}

export const KEYS: Readonly<Record<string, string>> = { once: 'o', session: 's', always: 'a', deny: 'n' };

export interface CommandLine {
  readonly home: Home;
  readonly config: string;
  readonly data: string;
  /** The hub of that data directory, where one runs. */
  readonly hub?: RunningHub;
}

/** `junctor mcp call`: at a terminal where a person is to answer, else as a program runs it. */
export function commandLineSurface(line: CommandLine): Surface {
  const { home, hub, data } = line;
  const wordsFor = ({ server, tool }: ToolRef, args: object): string[] => [
    ...['mcp', 'call', server, tool, '--args', JSON.stringify(args)],
    ...['--config', line.config, '--isolated', '--data', data],
  ];
  const run = (ref: ToolRef, args: object, { signal, ...options }: CallOptions): Promise<Shown> => {
    const words = wordsFor(ref, args);
    return options.answer === undefined ? byProgram(home, words, signal) : atTerminal(home, words, options.answer);
  };
  return {
    name: hub ? 'command line, through a hub' : 'command line',
    asksInbox: false,
    // What it grants stands in its own data directory, and is for one server.
    async revokeAll() {},
    async call(ref, args, options = {}) {
      if (!hub) return unaudited(await run(ref, args, options));
      let shown: Shown = { code: null, sentence: null };
      const reaches = async (): Promise<Shown> => {
        shown = await run(ref, args, options);
        return shown;
      };
      if (!options.refusedHere) {
        const { audit, verdict, because, outcome } = await audited(hub, reaches);
        return { verdict, because, outcome, audit, ...shown };
      }
      const newest = async () => (await rest(hub, '/api/calls?limit=1')).body.calls[0]?.call_id;
      const before = await newest();
      await reaches();
      return { ...unaudited(shown), ...(before === (await newest()) ? {} : { outcome: 'in the audit' }) };
    },
  };
}

async function byProgram(home: Home, words: readonly string[], signal: AbortSignal | undefined): Promise<Shown> {
  const child = spawn(process.execPath, [JUNCTOR, ...words, '--json'], {
    cwd: home.project,
    env: home.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  signal?.addEventListener('abort', () => child.kill('SIGINT'));
  const [out] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const { error } = JSON.parse(out) as { error?: { code: string; message: string; why?: string } };
  return error ? { code: error.code, sentence: sentenceOf(error) } : { code: null, sentence: null };
}

/** A denial has its reason in the sentence where a text is all that a client reads. */
function sentenceOf({ code, message, why }: { code: string; message: string; why?: string }): string {
  const isDenial = ['permission_denied', 'tool_locked'].includes(code);
  return why && isDenial ? `${message.replace(/\.$/, '')}: ${why}.` : message;
}

async function atTerminal(home: Home, words: readonly string[], answer: string): Promise<Shown> {
  await using terminal = openTerminal(home, words, { columns: 400 });
  // A grant answers in place of the person.
  const asked = terminal.shows(/Allow it\?/).then(() => true);
  if (await Promise.race([asked, terminal.ended.then(() => false)])) terminal.type(`${KEYS[answer]}\r`);
  asked.catch(() => {});
  await terminal.ended;
  const [, message, code] = /error: (.*) \(([a-z_]+)\)/.exec(terminal.screen()) ?? [];
  return message === undefined || code === undefined
    ? { code: null, sentence: null }
    : { code, sentence: withoutCode(message) };
}

/** A client that starts a command of Junctor as its server, and sends the lines of the older era. */
class StdioClient implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting = new Map<unknown, (answer: Answered) => void>();
  #id = 0;

  constructor(home: Home, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.#child = spawn(process.execPath, [JUNCTOR, ...words], {
      cwd: home.project,
      env: { ...home.env, ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#child.stdin.on('error', () => {});
    createInterface({ input: this.#child.stdout }).on('line', line => {
      const message = JSON.parse(line);
      this.#waiting.get(message.id)?.(message);
    });
    this.#child.once('close', () => {
      for (const resolve of this.#waiting.values()) resolve({ error: { message: 'the command ended' } });
    });
  }

  async open(): Promise<this> {
    const clientInfo = { name: 'table', version: '1' };
    await this.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.#say({ method: 'notifications/initialized' });
    return this;
  }

  ask(method: string, params: object, signal?: AbortSignal): Promise<Answered> {
    const id = ++this.#id;
    return new Promise(resolve => {
      const settle = (answer: Answered): void => {
        this.#waiting.delete(id);
        resolve(answer);
      };
      this.#waiting.set(id, settle);
      this.#say({ id, method, params });
      signal?.addEventListener('abort', () => {
        this.#say({ method: 'notifications/cancelled', params: { requestId: id } });
        settle({});
      });
    });
  }

  #say(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'close');
  }
}

/** `junctor connect`: the agent endpoint of the hub, carried over stdin and stdout. */
export async function connectSurface(
  hub: RunningHub,
  home: Home,
  token: string,
): Promise<Surface & { readonly end: () => Promise<void> }> {
  const client = await new StdioClient(home, ['connect', 'codex', '--data', home.data], {
    JUNCTOR_TOKEN: token,
  }).open();
  return {
    name: 'connect',
    asksInbox: true,
    revokeAll: () => revokeAt(hub),
    call: ({ server, tool }, args, { signal } = {}) =>
      audited(hub, async () =>
        toldBy(await client.ask('tools/call', { name: `${server}_${tool}`, arguments: args }, signal)),
      ),
    end: () => client[Symbol.asyncDispose](),
  };
}

/** `junctor record`: one process for each server, kept as long as the server lives. */
export function recordSurface(home: Home, config: string): Surface & { readonly end: () => Promise<void> } {
  const clients = new Map<string, Promise<StdioClient>>();
  const fileOf = (server: string): string => join(home.path, `${server}.jsonl`);
  const words = (server: string): string[] => [
    ...['record', server, fileOf(server)],
    ...['--config', config, '--isolated', '--data', join(home.path, 'record')],
  ];
  return {
    name: 'recording',
    asksInbox: false,
    async revokeAll() {},
    async call({ server, tool }, args, { signal } = {}) {
      const opening = clients.get(server) ?? new StdioClient(home, words(server)).open();
      clients.set(server, opening);
      const answer = await (await opening).ask('tools/call', { name: tool, arguments: args }, signal);
      return unaudited({ code: codeIn(answer), sentence: toldBy(answer).sentence });
    },
    async reached({ server, tool }) {
      const recorded = () => readFile(fileOf(server), 'utf8').catch(() => '');
      await expect.poll(recorded).toContain(`"name":"${tool}"`);
    },
    async end() {
      for (const client of clients.values()) await (await client)[Symbol.asyncDispose]();
    },
  };
}

/** The code that a text names behind its sentence; a text without one is what the tool itself says. */
function codeIn({ result, error }: Answered): string | null {
  if (error?.data?.code !== undefined) return error.data.code;
  const told = error?.message ?? (result?.isError ? (result.content[0]?.text ?? '') : undefined);
  return told === undefined ? null : (/\(([a-z]+_[a-z_]+)\)/.exec(told)?.[1] ?? 'tool_failed');
}

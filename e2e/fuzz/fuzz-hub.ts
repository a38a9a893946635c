/** Runs cases against a hub of its own: fuzzed servers beside a control server, fuzzed clients beside a control client. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Home,
  makeHome,
  misbehaving,
  processesMarked,
  type RunningHub,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { type FuzzCase, type FuzzEra, fuzzCase, fuzzedRequest, UPSTREAMS } from '@junctor/testkit/fuzz';
import { expect } from 'vitest';
import { settled } from '../hub/settled.ts';
import { AGENT_PATH, FuzzSession } from './fuzz-session.ts';
import { FuzzHttpClient } from './http-client.ts';

export interface FuzzPlan {
  readonly cases: number;
  /** How many of them are in flight. */
  readonly atOnce: number;
  /** After how many of them the control client calls the control server. */
  readonly batch: number;
  /** Openings of connections that fail: each takes a connection of its own. */
  readonly openings: number;
}

/** Enough to see what they have in common. */
const MOST_FAULTS = 10;

/** Limits of the fuzzed servers: a request that is never answered ends with them. */
const SHORT = { request_timeout_ms: 300, tool_idle_timeout_ms: 300, tool_timeout_ms: 2000 };

export async function fuzzHub(plan: FuzzPlan): Promise<void> {
  const seed = Number(process.env.JUNCTOR_FUZZ_SEED ?? Date.now() % 2 ** 31);
  const only = process.env.JUNCTOR_FUZZ_CASES?.split(',').map(Number);
  // Also where the run hangs, and ends by the limit of its test.
  console.log(`fuzz: seed ${seed}`);
  const home = await makeHome();
  const marked = `HOME=${home.path}`;
  try {
    const log = join(home.path, 'answered');
    await mkdir(log);
    await using web = new WebServers(home.env);
    const words: Words = (era, ...more) => ['--seed', String(seed), '--era', era, '--log', log, ...more];
    await using hub = await startHub(home, await config(words, web));
    await settled(hub);
    await new Fuzzing(hub, plan, seed).run(only ?? Array.from({ length: plan.cases }, (_, number) => number));
    const { cases, endless } = await answeredCases(home);
    console.log(`fuzz: seed ${seed}, ${only?.length ?? plan.cases} cases, ${cases} damaged answers`);
    expect(endless).toEqual([]);
    if (!only) expect(cases).toBeGreaterThan(plan.cases / 10);
  } finally {
    await expect.poll(() => processesMarked(marked).map(({ command }) => command)).toEqual([]);
    await home[Symbol.asyncDispose]();
  }
}

async function config(words: Words, web: WebServers): Promise<object> {
  const servers: Record<string, object> = { control: trusted(testServer()) };
  for (const id of UPSTREAMS) {
    const era = id.endsWith('modern') ? 'modern' : 'legacy';
    const reached = id.startsWith('web') ? await web.start(words(era)) : misbehaving('fuzzed', ...words(era));
    // Texts of servers that are not trusted are marked and cleaned on their way.
    const trust = id === 'pipe-modern' || id === 'web-legacy' ? 'trusted' : 'untrusted';
    const mode = id === 'pipe-shared' ? 'shared' : 'per_session';
    servers[id] = { ...reached, ...SHORT, protocol: era, trust, mode };
  }
  servers.lists = { ...misbehaving('fuzzed', ...words('legacy', '--lists')), ...SHORT, protocol: 'legacy' };
  for (const era of ['legacy', 'modern'] as const) {
    const reached = await web.start(words(era, '--greets'));
    servers[`opens-${era}`] = { ...reached, ...SHORT, protocol: era, mode: 'per_session', connect_timeout_ms: 500 };
  }
  const known = ['control', 'lists', ...UPSTREAMS];
  const agents = { codex: { servers: known }, cursor: { servers: known, results: { max_output_tokens: 100 } } };
  return { version: 1, servers, agents, permissions: { allow: ['mcp__*'] }, log: { level: 'error' } };
}

type Words = (era: FuzzEra, ...more: string[]) => string[];

/** Fuzzed servers behind URLs. They outlive the connections to them, so that a broken one costs no start of a program. */
class WebServers implements AsyncDisposable {
  readonly #children: ChildProcess[] = [];
  readonly #env: Readonly<Record<string, string>>;

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
  }

  async start(words: readonly string[]): Promise<object> {
    const { command, args } = misbehaving('fuzzed', '--http', ...words);
    const child = spawn(command, args, { env: this.#env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#children.push(child);
    const [port] = await once(child.stdout, 'data');
    return { transport: 'http', url: `http://127.0.0.1:${Number(port)}/mcp`, oauth: false };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) {
      child.kill();
      await once(child, 'exit');
    }
  }
}

interface Fault {
  readonly fuzz: FuzzCase;
  readonly fault: string;
  readonly sent: string;
}

class Fuzzing {
  readonly #hub: RunningHub;
  readonly #plan: FuzzPlan;
  readonly #seed: number;
  readonly #running = new Set<number>();

  constructor(hub: RunningHub, plan: FuzzPlan, seed: number) {
    this.#hub = hub;
    this.#plan = plan;
    this.#seed = seed;
  }

  async run(numbers: readonly number[]): Promise<void> {
    using client = new FuzzHttpClient(this.#hub.url, this.#hub.token);
    const session = new FuzzSession(client);
    const { batch, openings } = this.#plan;
    await this.#control(session);
    for (let from = 0; from < numbers.length; from += batch) {
      const part = numbers.slice(from, from + batch).map(number => fuzzCase(this.#seed, number));
      const faults = await this.#batch(session, part);
      expect(faults, this.#replay(faults.map(({ fuzz }) => fuzz.number))).toEqual([]);
      await this.#open(session, Math.ceil((openings * part.length) / this.#plan.cases));
      await this.#control(session);
    }
    await session.close();
  }

  async #batch(session: FuzzSession, cases: readonly FuzzCase[]): Promise<Fault[]> {
    const faults: Fault[] = [];
    const left = [...cases].reverse();
    const work = async (): Promise<void> => {
      for (let fuzz = left.pop(); fuzz; fuzz = left.pop()) {
        if (faults.length > MOST_FAULTS) return;
        this.#running.add(fuzz.number);
        const fault = await session.run(fuzz);
        if (fault) faults.push({ fuzz, fault, sent: fuzzedRequest(fuzz, 0).body.toString().slice(0, 1000) });
        this.#alive();
        this.#running.delete(fuzz.number);
      }
    };
    await Promise.all(Array.from({ length: this.#plan.atOnce }, work));
    return faults;
  }

  /** Connections whose opening is damaged: each attempt ends, one way or the other. */
  async #open(session: FuzzSession, count: number): Promise<void> {
    for (let at = 0; at < count; at++) {
      const path = `/servers/opens-${at % 2 === 0 ? 'legacy' : 'modern'}/mcp`;
      await session.open(path, {}).then(
        id => session.end(path, id),
        () => {},
      );
      this.#alive();
    }
  }

  async #control(session: FuzzSession): Promise<void> {
    this.#alive();
    const expected = { result: { content: [{ type: 'text', text: 'still here' }] } };
    for (const path of [AGENT_PATH, '/servers/control/mcp']) {
      const params = { name: path === AGENT_PATH ? 'control_echo' : 'echo', arguments: { text: 'still here' } };
      const answers = [await session.callLegacy(path, params), await session.callModern(path, params)];
      expect(answers, this.#replay([...this.#running])).toMatchObject([expected, expected]);
    }
  }

  #alive(): void {
    const { exitCode, signalCode } = this.#hub.process;
    if (exitCode === null && signalCode === null) return;
    throw new Error(
      `the hub ended (${exitCode ?? signalCode}): ${this.#hub.stderr().slice(-3000)}\n${this.#replay([...this.#running])}`,
    );
  }

  #replay(numbers: readonly number[]): string {
    return `Run these cases again: JUNCTOR_FUZZ_SEED=${this.#seed} JUNCTOR_FUZZ_CASES=${numbers.join(',')}`;
  }
}

/** The damaged answers that the hub asked for, and the cases that it asked for again and again. */
async function answeredCases(home: Home): Promise<{ readonly cases: number; readonly endless: string[] }> {
  const folder = join(home.path, 'answered');
  const files = await readdir(folder);
  const texts = await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')));
  const lines = [...new Set(texts.flatMap(text => text.trim().split('\n')))];
  return { cases: lines.length, endless: lines.filter(line => line.endsWith('without end')) };
}

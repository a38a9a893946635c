import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadMcpConfig, type McpServerDef } from '@junctor/core/config-read';
import {
  ANY_TOKEN_VARIABLE,
  abandonedFiles,
  connectCommand,
  dialectNamed,
  hubEntry,
  type ProgramCommand,
  parseTemplate,
  releaseServers,
  tokenVariable,
} from '@junctor/core/config-write';
import { type Living, Scope, stillLives, thisProcess, withFileLock, writePrivateFile } from '@junctor/core/internal';
import {
  AGENT_NAMES,
  agentHint,
  agentId,
  dataDirectory,
  isDialectName,
  JunctorError,
  namesSecret,
} from '@junctor/core/light';
import { findHub, type HubFile, TokenBook, tokenDigest } from '@junctor/hub';
import { defineCommand } from '../../command.ts';
import { agentTarget } from '../../config-files/agent-target.ts';
import { entryIn } from '../../config-files/exports.ts';
import { hubThere } from '../../config-files/hub-there.ts';
import { whyNothingStarts } from '../../config-files/known-executor.ts';
import { type Context, loadOptions } from '../../context.ts';
import { askProject } from '../../hub/open-pipe.ts';
import { END_UNUSED_SECONDS, reachHub } from '../../hub/reach-hub.ts';
import { servedThere, workPlace } from '../../hub/work-place.ts';
import { reasonLines } from '../../output/problem.ts';
import { ownProgram } from '../../own-program.ts';
import { handOver } from './hand-over.ts';
import { findAgent, startAgent } from './start-agent.ts';
import { type AgentName, STARTS } from './ways.ts';

export const run = defineCommand({
  // The agent has the terminal: what a signal means is for it to say.
  ownSignals: true,
  options: {
    program: { value: 'PATH', help: "the agent's program, where it is not the usual one on your PATH" },
    executor: {
      value: 'NAME',
      help: 'where the agent runs: its file is written there, and its servers are those of this executor',
    },
    'keep-env': { value: 'NAME', many: true, help: 'pass this variable on, though it holds a credential of a server' },
  },
  details: `The agent gets the servers of the project you are in, and your own, from the hub for this run, with a token that is good for this run only. Where no hub runs, one is
started.
What holds credentials of servers is not passed on to it: it asks the hub, and the hub has them.
Its exit code is passed on.`,
  async run(context, { options, words }) {
    const [name = '', ...args] = words;
    const agent = agentNamed(name);
    const { surroundings } = context;
    const data = dataDirectory(surroundings, context.global.data);
    const { command, way } = STARTS[agent];
    const [program = '', ...always] = options.program === undefined ? command : [options.program];
    const withheld = await credentialsIn(context, options['keep-env']);
    const env = without(surroundings.env, withheld);
    await cleanUpAfterKilled(context, data);
    const file = await findAgent(program, { ...surroundings, env });
    const target = await agentTarget(context, agent, {
      executor: options.executor,
      otherwise: `start it there yourself: junctor hub token --agent ${agent} --executor ${options.executor}`,
    });
    await using scope = new Scope();
    const hub = await hubFor(context, data);
    const place = workPlace(context);
    const project = await askProject(hub, place);
    if (project) context.talk(servedThere(hub, project));
    const token = await tokenFor(agent, options.executor, data, scope);
    context.redactor.learn(token);
    const about = { agent, executor: options.executor, hub, url: hub.url };
    const { url, obstacle } = await hubThere(context, about);
    const book = new RunBook(data);
    const entry = entryIn(project?.id, hubEntry(target.dialect, url, connectHere(agent, data, place.folder)));
    const handed = await handOver(
      target,
      entry,
      target.file === (await agentTarget(context, agent, {})).file ? way : { kind: 'own-file' },
      {
        surroundings,
        cleanup: {
          defer: undo => scope.defer(() => undo().catch(error => notPutBack(context, error))),
          folder: folder => book.note({ agent, folder }),
        },
      },
    );
    const { executor } = options;
    const noPlace = executor === undefined ? undefined : await whyNothingStarts(context, executor, agent);
    if (noPlace !== undefined) context.talk(`warning: ${noPlace}`);
    if (obstacle !== undefined && 'url' in entry.definition)
      context.talk(`warning: ${agent} on executor '${options.executor}' does not reach the hub: ${obstacle}`);
    if (withheld.length > 0)
      context.talk(`not passed on to ${agent}: ${withheld.join(', ')} (--keep-env NAME passes one on)`);
    // Awaited here: what was handed over lasts as long as the agent does.
    return await startAgent({
      file,
      args: [...always, ...handed.args, ...args],
      from: {
        ...surroundings,
        env: { ...env, ...handed.env, [tokenVariable(agent)]: token, [ANY_TOKEN_VARIABLE]: token },
      },
    });
  },
});

function agentNamed(name: string): AgentName {
  const agent = agentId(name);
  if ((AGENT_NAMES as readonly string[]).includes(agent)) return agent as AgentName;
  throw new JunctorError('usage', `There is no agent '${name}'.`, { hint: agentHint(name, AGENT_NAMES) });
}

/** The hub has what the servers need before the agent is there; one that is started for this ends when nobody uses it. */
async function hubFor(context: Context, data: string): Promise<HubFile> {
  const running = await findHub(data);
  if (running) return running;
  const hub = await reachHub(context, { data, endUnusedSeconds: END_UNUSED_SECONDS });
  context.talk(`started a hub at ${hub.url}; it ends when nobody has used it for ${END_UNUSED_SECONDS / 60} minutes`);
  return hub;
}

/** Good for this run: it is revoked when the run ends, or by the next one after a kill. */
async function tokenFor(agent: AgentName, executor: string | undefined, data: string, scope: Scope): Promise<string> {
  const [tokens, book] = [new TokenBook(data), new RunBook(data)];
  const token = await tokens.issue(agent, { session: `run-${crypto.randomUUID()}`, executor });
  scope.defer(async () => {
    await tokens.withdraw(tokenDigest(token));
    await book.forget();
  });
  await book.note({ agent, token: tokenDigest(token) });
  return token;
}

/** A run that was killed could not put things back: its file, its folder and its token are put back here. */
async function cleanUpAfterKilled(context: Context, data: string): Promise<void> {
  for (const { file, agent } of await abandonedFiles(data)) {
    if (!isDialectName(agent)) continue;
    const target = { file, dialect: dialectNamed(agent), dataDirectory: data };
    await releaseServers(target).catch(error => notPutBack(context, error));
  }
  const tokens = new TokenBook(data);
  for (const { token } of await new RunBook(data).sweep()) if (token) await tokens.withdraw(token);
}

/** The agent has run, or another one is to: a file that cannot be put back now is reported, and stays as it is. */
function notPutBack(context: Context, error: unknown): void {
  if (!(error instanceof JunctorError)) throw error;
  context.talk(`warning: ${error.message}`);
  for (const line of reasonLines(error)) context.talk(line);
}

function connectHere(agent: AgentName, data: string, folder: string): ProgramCommand {
  const { command, args } = connectCommand(ownProgram(), agent, data);
  return { command, args: [...args, '--project', folder] };
}

async function credentialsIn(context: Context, kept: readonly string[]): Promise<string[]> {
  const { servers } = await loadMcpConfig(loadOptions(context));
  const definitions = [...servers.values()].map(({ definition }) => definition);
  return withheldVariables(definitions, Object.keys(context.surroundings.env)).filter(name => !kept.includes(name));
}

function without(env: Context['surroundings']['env'], names: readonly string[]): Context['surroundings']['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

// Variables that hold credentials of servers. They are the hub's business: an agent that asks the hub needs none of them.

/** What opens Junctor's own secrets or the hub, or may hold servers with all they need. */
const OWN = ['JUNCTOR_SECRET_KEY', 'JUNCTOR_CONFIG_JSON', 'JUNCTOR_HUB_TOKEN'];

/** The names among `present` that an agent must not see. */
function withheldVariables(definitions: Iterable<McpServerDef>, present: Iterable<string>): string[] {
  const secret = new Set([...OWN, ...[...definitions].flatMap(credentialVariables)]);
  return [...present].filter(name => secret.has(name)).sort();
}

/** Whatever goes into a header, an address or a sign-in is a credential; elsewhere its name, or that of its place, tells. */
function credentialVariables(definition: McpServerDef): string[] {
  const { env = {}, args = [] } = definition;
  const launched = [
    ...Object.entries(env).flatMap(([key, text]) =>
      variablesIn(text).filter(name => namesSecret(name) || namesSecret(key)),
    ),
    ...args.flatMap((text, index) =>
      variablesIn(text).filter(name => namesSecret(name) || namesSecret(args[index - 1] ?? '') || namesSecret(text)),
    ),
  ];
  if (definition.transport === 'stdio') return launched;
  const { url, headers = {}, oauth, bearer_token_env_var: bearer } = definition;
  const signIn = oauth ? Object.values(oauth).filter(text => typeof text === 'string') : [];
  const sent = [url, ...Object.values(headers), ...signIn].flatMap(variablesIn);
  return [...launched, ...sent, ...(bearer === undefined ? [] : [bearer])];
}

function variablesIn(text: string): string[] {
  return parseTemplate(text).flatMap(part => (part.kind === 'variable' ? part.name : []));
}

/** The runs of this data directory: what has to be cleaned up after one whose process was killed. 0600. */
interface Run extends Living {
  readonly agent: string;
  /** SHA-256 of the token that was made for it. */
  readonly token?: string;
  /** Where its config lies. */
  readonly folder?: string;
}

class RunBook {
  readonly #file: string;

  constructor(dataDirectory: string) {
    this.#file = join(dataDirectory, 'runs.json');
  }

  /** Adds to what is known of the run of this process. */
  async note(run: Omit<Run, keyof Living>): Promise<void> {
    await this.#change(runs => {
      const known = runs.find(({ pid }) => pid === process.pid);
      return [...runs.filter(({ pid }) => pid !== process.pid), { ...known, ...thisProcess(), ...run }];
    });
  }

  async forget(): Promise<void> {
    await this.#change(runs => runs.filter(({ pid }) => pid !== process.pid));
  }

  /** Removes what killed runs left, and says which: their tokens are for whoever keeps tokens to revoke. */
  async sweep(): Promise<readonly Run[]> {
    const dead = (await this.#read()).filter(run => run.pid === process.pid || !stillLives(run));
    for (const { folder } of dead) if (folder) await rm(folder, { recursive: true, force: true });
    if (dead.length > 0) await this.#change(runs => runs.filter(run => !dead.some(({ pid }) => pid === run.pid)));
    return dead;
  }

  async #change(edit: (runs: readonly Run[]) => readonly Run[]): Promise<void> {
    await withFileLock(this.#file, async () => {
      const runs = edit(await this.#read());
      await writePrivateFile(this.#file, `${JSON.stringify({ version: 1, runs }, null, 2)}\n`);
    });
  }

  async #read(): Promise<readonly Run[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    try {
      return text === '' ? [] : ((JSON.parse(text) as { runs?: Run[] }).runs ?? []);
    } catch {
      return []; // spoilt: what it named stays, and nothing worse
    }
  }
}

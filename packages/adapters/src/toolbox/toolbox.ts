/**
 * The tools of a host as one run sees them: a snapshot, fitted to the API it is for, the names its model knows them by, and
 * the way from such a name back to the server. What happens at the servers meanwhile changes what a search finds, and no
 * definition that the model was given.
 */
import type { Entry, Host, ServerFailure, Snapshot, ToolRef } from '@junctor/core';
import {
  absentServers,
  CALL_TOOL,
  DESCRIBE_TOOL,
  decideSearch,
  FIND_TOOLS,
  FollowedIndex,
  isObject,
  type OtherListsTool,
  type OwnDefinition,
  quoteInstructions,
  READ_RESULT,
  readingParts,
  SEARCH_PATIENCE_MS,
  type SearchDecision,
  ToolSearch,
  toToolResult,
  usefulWith,
  withSchema,
} from '@junctor/core/internal';
import { type Answered, callForModel, notRun, told } from './call-for-model.ts';
import type { ModelTool } from './model-tool.ts';
import type { RunOptions, ToolboxOptions } from './options.ts';
import { type ServerTool, serverTools } from './server-tool.ts';

export interface Toolbox {
  readonly host: Host;
  /** The servers whose tools they are, whether they answered or not. */
  readonly servers: readonly string[];
  /** Every tool of the servers, sorted by name. */
  readonly tools: readonly ServerTool[];
  /** Junctor's own, which a model needs beside them. */
  readonly own: readonly ModelTool[];
  /** Those by which a model searches tools that it is not told of. None where the program has tools of these names. */
  readonly search: readonly ModelTool[];
  /** Which tools are searched, by the rule of the config and by bundles. */
  readonly decision: SearchDecision;
  /** How many the API takes in all. */
  readonly maxTools: number | undefined;
  /** Servers that were asked for and could not be reached, each with its reason. */
  readonly failures: readonly ServerFailure[];
  /** Ids of servers that still start: their tools come later. */
  readonly pending: readonly string[];
  /** What these servers say about the use of their tools, quoted as theirs: for the system prompt. */
  readonly serverInstructions: string | undefined;
  find(name: string): ModelTool | undefined;
  /** What the rules judge, where this call comes to one of a server. */
  judged(name: string, args: unknown): { readonly ref: ToolRef; readonly args: unknown } | undefined;
  /** Runs a tool as its model asked for it. Whatever goes wrong is a result that the model can read. */
  call(name: string, args: unknown, options?: RunOptions): Promise<Answered>;
}

export interface ToolboxFor {
  /** The profile of the API or the model that reads the tools. Without one, schemas are left as they are. */
  readonly profile: string | undefined;
  /** Names that are already used: those of the program's own tools. */
  readonly taken: Iterable<string>;
}

export async function openToolbox(
  host: Host,
  { profile, taken }: ToolboxFor,
  options: ToolboxOptions,
): Promise<Toolbox> {
  const { servers, collisions = 'rename', session, ask, contextWindow, otherLists = true } = options;
  for (const id of servers ?? []) host.links.expect(id);
  const chosen = (id: string): boolean => servers === undefined || servers.includes(id);
  const ids = host.links.ids.filter(chosen);
  const used = new Set(taken);
  const mine = ({ byName }: Snapshot): Entry[] => [...byName.values()].filter(({ server }) => chosen(server));
  const snapshot = await host.snapshot({ ...options, model: profile });
  const tools = serverTools(mine(snapshot), used, collisions);
  const decision = decideSearch(host, { model: profile, contextWindow }, mine(snapshot));
  const byPublicName = new Map<string, ServerTool | OwnTool>();
  let latest = { snapshot, searched: tools.map(one => one.searched) };
  const finder = new ToolSearch({
    begin: latest.searched,
    follows: decision.follows,
    index: new FollowedIndex(host.wordVectors),
    absent: () => absentServers(host, chosen),
    async tools() {
      const wait = { ...options, patienceMs: SEARCH_PATIENCE_MS, again: true };
      const now = await host.snapshot({ ...wait, model: profile });
      if (now === latest.snapshot) return latest.searched;
      const all = serverTools(mine(now), used, collisions);
      latest = { snapshot: now, searched: all.map(one => one.searched) };
      // What is found can be called by its name, too.
      for (const tool of all) if (!byPublicName.has(tool.name)) byPublicName.set(tool.name, tool);
      return latest.searched;
    },
  });
  // Only of servers that answered with their tools: a run does not wait for the others once more.
  const said = (await host.instructions(undefined, { connected: true })).filter(({ server }) => chosen(server));
  const any = tools.length > 0 || ids.some(decision.hides);
  const own = ownTools(host, { servers, any, otherLists }).filter(({ name }) => !used.has(name));
  const search = searchTools(host, finder);
  const usable = search.some(({ name }) => used.has(name)) ? [] : search;
  for (const tool of [...usable, ...own, ...tools]) byPublicName.set(tool.name, tool);
  return {
    host,
    servers: ids,
    tools,
    own,
    search: usable,
    decision,
    maxTools: snapshot.beyond.length > 0 ? snapshot.entries.length : undefined,
    failures: host.failures().filter(({ server }) => chosen(server)),
    pending: ids.filter(id => host.links.state(id).kind === 'connecting'),
    serverInstructions: quoteInstructions(said.map(one => ({ ...one, text: host.mask(one.text) }))),
    find: name => byPublicName.get(name),
    judged(name, args) {
      const tool = byPublicName.get(name);
      if (tool?.from) return { ref: tool.from, args };
      return tool && 'run' in tool && isObject(args) ? tool.judged?.(args) : undefined;
    },
    async call(name, args, run = {}) {
      const tool = byPublicName.get(name);
      if (!tool) return notRun(`There is no tool '${name}'.`);
      if (!isObject(args)) return notRun(`The arguments of '${name}' must be a JSON object.`);
      const all = { session, ask, ...run };
      return 'run' in tool ? tool.run(args, all) : callForModel(host, tool.from, args, all);
    },
  };
}

/** The frozen set in front of tools that are searched: to find, describe and call them. */
function searchTools(host: Host, search: ToolSearch): OwnTool[] {
  return [FIND_TOOLS, DESCRIBE_TOOL, CALL_TOOL].map(definition =>
    ownTool(host, definition, {
      // A call is judged as one of the tool inside, however it comes.
      judged(args) {
        const wanted = definition === CALL_TOOL ? search.wanted(args) : undefined;
        return wanted && { ref: refOf(wanted.tool), args: wanted.args };
      },
      async run(args, options) {
        const answer = await search.answer(definition.name, args);
        if (answer === undefined) return notRun(`There is no tool '${definition.name}'.`);
        if ('text' in answer) return answer.failed ? notRun(answer.text) : said(answer.text);
        const answered = await callForModel(host, refOf(answer.call), answer.args, options);
        return answered.invalid ? notRun(withSchema(answered.invalid, answer.call)) : answered;
      },
    }),
  );
}

function refOf({ server, tool }: ToolRef): ToolRef {
  return { server, tool };
}

function said(text: string): Answered {
  return { result: { success: true, output: text, parts: [{ type: 'text', text }] } };
}

/** Tools of Junctor itself that a model needs beside those of servers. Their names are never given to another tool. */
interface Needs {
  readonly servers: readonly string[] | undefined;
  /** Whether there are tools of servers. */
  readonly any: boolean;
  readonly otherLists: boolean;
}

/** Those that are of use beside the tools of these servers: none where there is nothing to use. */
function ownTools(host: Host, { servers, any, otherLists }: Needs): OwnTool[] {
  const others = otherLists ? usefulWith(host, servers).map(tool => forOtherLists(host, tool, servers)) : [];
  return any || others.length > 0 ? [readResult(host), ...others] : [];
}

function forOtherLists(host: Host, tool: OtherListsTool, servers: readonly string[] | undefined): OwnTool {
  return ownTool(host, tool, {
    judged(args) {
      const ref = tool.ref(args);
      const { server: _server, ...rest } = args;
      return ref && { ref, args: rest };
    },
    async run(args, options) {
      const result = await tool.run(host, args, { ...options, servers });
      const from = tool.ref(args);
      return { result, ...(from ? { from } : {}) };
    },
  });
}

/** `read_result`, by which a model reads on in a result that was cut. */
function readResult(host: Host): OwnTool {
  return ownTool(host, READ_RESULT, {
    async run({ id, ...query }, { session }) {
      const reading = await host.readResult(String(id), query, session);
      const trusted = host.server(reading.server)?.trusted ?? false;
      return { result: toToolResult({ content: readingParts(reading, { trusted }) }) };
    },
  });
}

/** A tool of Junctor itself, as a model is told of it and as it runs. */
type Arguments = Readonly<Record<string, unknown>>;

interface OwnTool extends ModelTool {
  /** The pair that rules judge a call by, and its arguments. Absent: nothing is judged. */
  judged?(args: Arguments): { readonly ref: ToolRef; readonly args: unknown } | undefined;
  run(args: Arguments, options: RunOptions): Promise<Answered>;
}

/** Whatever goes wrong in it is told by it. */
function ownTool(
  host: Host,
  { name, description, inputSchema }: OwnDefinition,
  { run, judged }: Pick<OwnTool, 'run' | 'judged'>,
): OwnTool {
  return {
    name,
    description,
    inputSchema,
    strict: false,
    ...(judged ? { judged } : {}),
    async run(args, options) {
      try {
        return await run(args, options);
      } catch (error) {
        if (options.signal?.aborted) throw error;
        return told(host, error);
      }
    },
  };
}

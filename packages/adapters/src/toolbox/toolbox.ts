/**
 * The tools of a host as one run sees them: a snapshot, fitted to the API it is for, the names its model knows them by, and
 * the way from such a name back to the server. What happens at the servers meanwhile does not change it.
 */
import type { Entry, Host, ServerFailure, ToolRef } from '@junctor/core';
import { type Answered, callForModel, notRun } from './call-for-model.ts';
import type { RunOptions, ToolboxOptions } from './options.ts';
import { namesBeside } from './own-names.ts';
import { OWN_TOOLS, type OwnTool } from './own-tools.ts';

/** One tool as a model is told of it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The model can be held to the schema to the letter. */
  readonly strict: boolean;
  /** Where it is from. Absent: it is one of Junctor's own. */
  readonly from?: ToolRef;
}

export interface ServerTool extends ModelTool, ToolRef {
  readonly from: ToolRef;
}

export interface Toolbox {
  readonly host: Host;
  /** Every tool of the servers, sorted by name. */
  readonly tools: readonly ServerTool[];
  /** Junctor's own, which a model needs beside them. */
  readonly own: readonly ModelTool[];
  /** How many the API takes in all. */
  readonly maxTools: number | undefined;
  /** Servers that were asked for and could not be reached, each with its reason. */
  readonly failures: readonly ServerFailure[];
  find(name: string): ModelTool | undefined;
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
  const { servers, collisions = 'rename', session } = options;
  for (const id of servers ?? []) host.links.expect(id);
  const chosen = (id: string): boolean => servers === undefined || servers.includes(id);
  const { byName, entries, beyond } = await host.snapshot({ ...options, model: profile });
  const all = [...byName.values()].filter(({ server }) => chosen(server));
  const used = new Set(taken);
  const names = namesBeside(all, used, collisions);
  const tools = all.map((entry, index) => serverTool(entry, names[index] as string));
  const own = tools.length > 0 ? OWN_TOOLS.filter(({ name }) => !used.has(name)) : [];
  const byOwnName = new Map<string, ServerTool | OwnTool>([...own, ...tools].map(tool => [tool.name, tool]));
  return {
    host,
    tools,
    own,
    maxTools: beyond.length > 0 ? entries.length : undefined,
    failures: host.failures().filter(({ server }) => chosen(server)),
    find: name => byOwnName.get(name),
    async call(name, args, run = {}) {
      const tool = byOwnName.get(name);
      if (!tool) return notRun(`There is no tool '${name}'.`);
      if (!isObject(args)) return notRun(`The arguments of '${name}' must be a JSON object.`);
      const all = { session, ...run };
      return 'run' in tool ? tool.run(host, args, all) : callForModel(host, tool.from, args, all);
    },
  };
}

function serverTool({ server, tool, offered, fit }: Entry, name: string): ServerTool {
  const { description, inputSchema } = offered;
  return { name, server, tool, description, inputSchema, strict: fit.strict, from: { server, tool } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Definitions as the Responses API wants them; deferred ones by namespace, with its own search. Pure. */

import type { ModelTool } from '../toolbox/model-tool.ts';
import { readableName } from '../toolbox/own-names.ts';
import type { ServerTool } from '../toolbox/server-tool.ts';

/** What stands in `tools` of a request: `type` tells which. */
export type ResponsesTool = ResponsesFunction | ResponsesNamespace | ResponsesToolSearch;

/** One tool. */
export interface ResponsesFunction {
  /** Always `function`. */
  readonly type: 'function';
  /** What the model calls it by. */
  readonly name: string;
  /** What it does, and where it is from. */
  readonly description: string;
  /** The JSON Schema of its arguments. */
  readonly parameters: Record<string, unknown>;
  /** Always said: left out, the API may turn it on, and then refuses most schemas of MCP tools. */
  readonly strict: boolean;
  /** true: the model reads it when a search finds it. */
  readonly defer_loading?: true;
}

/** Of a namespace the model sees no more than this until it searches. */
export interface ResponsesNamespace {
  /** Always `namespace`. */
  readonly type: 'namespace';
  /** The id of the server. */
  readonly name: string;
  /** What the tools of this server are for. */
  readonly description: string;
  /** The tools of this server. */
  readonly tools: ResponsesFunction[];
}

/** The search of the provider. */
export interface ResponsesToolSearch {
  /** Always `tool_search`. */
  readonly type: 'tool_search';
}

export function asFunction({ name, description, inputSchema, strict }: ModelTool): ResponsesFunction {
  return { type: 'function', name, description, parameters: inputSchema, strict };
}

/** A namespace for each server, and the search that loads from them. */
export function keptBack(tools: readonly ServerTool[]): ResponsesTool[] {
  if (tools.length === 0) return [];
  const namespaces = [...Map.groupBy(tools, ({ server }) => server)].map(
    ([server, own]): ResponsesNamespace => ({
      type: 'namespace',
      ...namespaceOf(server, own),
      tools: own.map(tool => ({ ...asFunction(tool), defer_loading: true })),
    }),
  );
  return [...namespaces, { type: 'tool_search' }];
}

const MAX_DESCRIPTION = 400;

/** The names of its tools are the shortest account of what a server can do. */
export function namespaceOf(
  server: string,
  tools: readonly ServerTool[],
): Pick<ResponsesNamespace, 'name' | 'description'> {
  let description = `Tools of the MCP server '${server}': `;
  for (const [index, { tool }] of tools.entries()) {
    if (description.length + tool.length > MAX_DESCRIPTION) {
      description += `and ${tools.length - index} more`;
      break;
    }
    description += index === tools.length - 1 ? tool : `${tool}, `;
  }
  return { name: readableName(server), description };
}

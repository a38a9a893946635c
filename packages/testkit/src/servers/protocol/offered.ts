/** What both eras answer alike: the lists, what stands in them, and suggestions for their arguments. */
import type { TestPrompt } from '../offer/prompts.ts';
import type { TestTemplate } from '../offer/resources.ts';
import { CODE, type Params, RpcError, record } from '../rpc.ts';
import type { SharedState } from '../shared-state.ts';
import { failure, type TestTool } from '../tools/tool.ts';
import { type RequestContext, Unanswered } from './request-context.ts';

/** How an era shows a tool in its list. */
export type ShowTool = (tool: TestTool) => object;

/** Undefined for a method that only one era has. */
export async function answerOffered(
  method: string,
  params: Params,
  { context, showTool }: { readonly context: RequestContext; readonly showTool: ShowTool },
): Promise<object | undefined> {
  const { shared } = context;
  const size = shared.options.pageSize;
  switch (method) {
    case 'tools/list': {
      const { items, ...more } = shared.tools.page(params.cursor, size);
      return { tools: items.map(showTool), ...more };
    }
    case 'prompts/list': {
      const { items, ...more } = shared.prompts.page(params.cursor, size);
      return { prompts: items.map(prompt => prompt.definition), ...more };
    }
    case 'resources/list': {
      const { items, ...more } = shared.resources.page(params.cursor, size);
      return { resources: items.map(resource => resource.definition), ...more };
    }
    case 'resources/templates/list':
      return { resourceTemplates: shared.templates.map(template => template.definition) };
    case 'tools/call':
      return callTool(params, context);
    case 'prompts/get':
      return getPrompt(params, context);
    case 'resources/read':
      return readResource(String(params.uri), context);
    case 'completion/complete':
      return complete(params, shared);
    default:
      return undefined;
  }
}

export function toolNamed({ name }: Params, shared: SharedState): TestTool {
  const tool = shared.tools.find(name);
  if (!tool) throw new RpcError(CODE.invalidParams, `Unknown tool: ${name}`);
  return tool;
}

async function callTool(params: Params, context: RequestContext): Promise<object> {
  const tool = toolNamed(params, context.shared);
  try {
    return await tool.run(record(params.arguments), context);
  } catch (error) {
    if (error instanceof Unanswered) return failure(error.message);
    throw error;
  }
}

async function getPrompt(params: Params, context: RequestContext): Promise<object> {
  const prompt = promptNamed(params, context.shared);
  const args = record(params.arguments) as Record<string, string>;
  const missing = prompt.definition.arguments?.find(({ name, required }) => required && args[name] === undefined);
  if (missing) throw new RpcError(CODE.invalidParams, `Missing argument: ${missing.name}`);
  return { description: prompt.definition.description, messages: await prompt.messages(args, context) };
}

function promptNamed({ name }: Params, shared: SharedState): TestPrompt {
  const prompt = shared.prompts.find(name);
  if (!prompt) throw new RpcError(CODE.invalidParams, `Unknown prompt: ${name}`);
  return prompt;
}

async function readResource(uri: string, context: RequestContext): Promise<object> {
  const resource = context.shared.resources.find(uri);
  if (resource) {
    return { contents: [{ uri, mimeType: resource.definition.mimeType, ...(await resource.read(context)) }] };
  }
  for (const template of context.shared.templates) {
    const variables = variablesIn(uri, template);
    if (variables) return { contents: [{ uri, mimeType: template.definition.mimeType, ...template.read(variables) }] };
  }
  throw new RpcError(CODE.resourceNotFound, `Resource not found: ${uri}`, { data: { uri } });
}

/** Undefined when the template has no such address. */
function variablesIn(uri: string, { definition }: TestTemplate): Record<string, string> | undefined {
  const pattern = definition.uriTemplate.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const groups = new RegExp(`^${pattern}$`).exec(uri)?.groups;
  if (!groups) return undefined;
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
}

function complete(params: Params, shared: SharedState): object {
  const ref = record(params.ref);
  const { name, value } = record(params.argument);
  const known =
    ref.type === 'ref/resource'
      ? shared.templates.find(({ definition }) => definition.uriTemplate === ref.uri)?.suggestions
      : promptNamed(ref, shared).suggestions;
  const begun = String(value ?? '').toLowerCase();
  const values = (known?.[String(name)] ?? []).filter(suggestion => suggestion.toLowerCase().startsWith(begun));
  return { completion: { values, total: values.length, hasMore: false } };
}

/** A request of OpenAI's Responses API, tool search included. */
import { z } from 'zod';
import { complaintsOf, dataUrl, uniqueNames } from '../shapes.ts';
import { openAiName, openAiParameters } from './chat-completions-request.ts';

const functionTool = z.strictObject({
  type: z.literal('function'),
  name: openAiName,
  description: z.string().optional(),
  parameters: openAiParameters,
  // Left out, it may be turned on, and then most schemas of MCP tools are refused.
  strict: z.boolean(),
  defer_loading: z.boolean().optional(),
});

const namespace = z.strictObject({
  type: z.literal('namespace'),
  name: openAiName,
  description: z.string().min(1),
  tools: z.array(functionTool).min(1),
});

const toolSearch = z.strictObject({
  type: z.literal('tool_search'),
  execution: z.enum(['server', 'client']).optional(),
});

const tool = z.discriminatedUnion('type', [functionTool, namespace, toolSearch]);

const inputPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('input_text'), text: z.string() }),
  z.strictObject({
    type: z.literal('input_image'),
    image_url: z.union([dataUrl, z.url()]),
    detail: z.enum(['low', 'high', 'auto', 'original']).optional(),
  }),
  z.strictObject({ type: z.literal('input_file'), filename: z.string().min(1), file_data: dataUrl }),
]);

const item = z.union([
  z.strictObject({
    type: z.literal('function_call_output'),
    call_id: z.string().min(1),
    output: z.union([z.string(), z.array(inputPart).min(1)]),
  }),
  z.strictObject({
    type: z.literal('function_call'),
    id: z.string().optional(),
    call_id: z.string().min(1),
    name: openAiName,
    namespace: z.string().optional(),
    arguments: z.string(),
    status: z.string().optional(),
  }),
  z.looseObject({ type: z.enum(['reasoning', 'tool_search_call', 'tool_search_output', 'item_reference']) }),
  z.looseObject({ type: z.literal('message').optional(), role: z.enum(['system', 'developer']), content: z.string() }),
  z.looseObject({
    type: z.literal('message').optional(),
    role: z.literal('user'),
    content: z.union([z.string(), z.array(inputPart).min(1)]),
  }),
  z.looseObject({
    type: z.literal('message').optional(),
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(z.looseObject({ type: z.literal('output_text'), text: z.string() }))]),
  }),
]);

const request = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string().min(1), z.array(item).min(1)]),
  tools: z.array(tool).optional(),
  stream: z.boolean().optional(),
});

export function responsesComplaints(body: unknown): string[] {
  const complaints = complaintsOf(request, body);
  if (complaints.length > 0) return complaints;
  const { input, tools = [] } = body as z.infer<typeof request>;
  const functions = tools.flatMap(one => (one.type === 'namespace' ? one.tools : one.type === 'function' ? [one] : []));
  const searches = tools.some(({ type }) => type === 'tool_search');
  const deferred = functions.some(({ defer_loading }) => defer_loading === true);
  return [
    ...uniqueNames(functions.map(({ name }) => name)),
    ...uniqueNames(tools.flatMap(one => (one.type === 'namespace' ? [one.name] : []))),
    ...(deferred && !searches ? ['tools: deferred tools need the tool_search tool'] : []),
    ...(searches && !deferred ? ['tools: tool_search has nothing to search'] : []),
    ...(typeof input === 'string' ? [] : unanswered(input)),
  ];
}

function unanswered(items: readonly z.infer<typeof item>[]): string[] {
  const open = new Set<string>();
  const referred = items.some(one => one.type === 'item_reference');
  const complaints: string[] = [];
  for (const one of items) {
    if (one.type === 'function_call') open.add(String(one.call_id));
    if (one.type !== 'function_call_output') continue;
    if (!open.delete(String(one.call_id)) && !referred) complaints.push(`input: '${one.call_id}' answers no call`);
  }
  return open.size === 0 ? complaints : [...complaints, `input: no output for ${[...open].join(', ')}`];
}

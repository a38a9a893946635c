/** A request of Anthropic's Messages API, tool search included. */
import { z } from 'zod';
import { base64, complaintsOf, objectSchema, uniqueNames } from '../shapes.ts';

const name = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/);
const cacheControl = z.strictObject({ type: z.literal('ephemeral'), ttl: z.string().optional() });

const customTool = z.strictObject({
  type: z.literal('custom').optional(),
  name,
  description: z.string().min(1).optional(),
  input_schema: objectSchema({ notAtRoot: ['anyOf', 'oneOf', 'allOf'], items: false }),
  cache_control: cacheControl.optional(),
  defer_loading: z.boolean().optional(),
  eager_input_streaming: z.boolean().optional(),
  strict: z.literal(false).optional(),
});

/** The search itself can never be deferred. */
const searchTool = z.union([
  z.strictObject({ type: z.literal('tool_search_tool_bm25_20251119'), name: z.literal('tool_search_tool_bm25') }),
  z.strictObject({ type: z.literal('tool_search_tool_regex_20251119'), name: z.literal('tool_search_tool_regex') }),
]);

const text = z.strictObject({
  type: z.literal('text'),
  text: z.string().min(1),
  cache_control: cacheControl.optional(),
});
const image = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
    data: base64,
  }),
});
const pdf = z.strictObject({
  type: z.literal('document'),
  source: z.strictObject({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: base64 }),
  title: z.string().optional(),
});

const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1),
  content: z.union([z.string(), z.array(z.union([text, image, pdf]))]).optional(),
  is_error: z.boolean().optional(),
});

const userBlock = z.union([toolResult, text, image, pdf]);
const assistantBlock = z.union([
  z.looseObject({ type: z.literal('tool_use'), id: z.string().min(1), name, input: z.record(z.string(), z.unknown()) }),
  text,
  z.looseObject({ type: z.enum(['thinking', 'server_tool_use', 'tool_search_tool_result']) }),
]);

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), content: z.union([z.string().min(1), z.array(userBlock).min(1)]) }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.union([z.string().min(1), z.array(assistantBlock).min(1)]),
  }),
]);

const request = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  messages: z.array(message).min(1),
  tools: z
    .array(z.union([searchTool, customTool]))
    .max(10_000)
    .optional(),
  stream: z.boolean().optional(),
});

export function messagesComplaints(body: unknown): string[] {
  const complaints = complaintsOf(request, body);
  if (complaints.length > 0) return complaints;
  const { messages, tools = [] } = body as z.infer<typeof request>;
  const deferred = tools.filter(tool => 'defer_loading' in tool && tool.defer_loading === true);
  const searches = tools.some(tool => tool.type?.startsWith('tool_search_tool_'));
  return [
    ...uniqueNames(tools.map(tool => tool.name)),
    ...(deferred.length > 0 && deferred.length === tools.length ? ['tools: all of them are deferred'] : []),
    ...(deferred.length > 0 && !searches ? ['tools: deferred tools need a tool search tool'] : []),
    ...unanswered(messages),
  ];
}

/** The message after a call begins with the answers to all calls before it. */
function unanswered(messages: readonly z.infer<typeof message>[]): string[] {
  return messages.flatMap(({ role, content }, index) => {
    const before = messages[index - 1];
    const called = role === 'user' ? idsOf(before?.content, 'tool_use') : [];
    const answered = idsOf(content, 'tool_result');
    const wrongOrder = typeof content !== 'string' && answered.some((_, at) => content[at]?.type !== 'tool_result');
    return [
      ...answered.filter(id => !called.includes(id)).map(id => `messages.${index}: '${id}' answers no call`),
      ...called.filter(id => !answered.includes(id)).map(id => `messages.${index}: no answer to '${id}'`),
      ...(wrongOrder ? [`messages.${index}: tool results come first`] : []),
    ];
  });
}

function idsOf(content: unknown, type: 'tool_use' | 'tool_result'): string[] {
  if (!Array.isArray(content)) return [];
  return content.filter(block => block.type === type).map(block => block.id ?? block.tool_use_id);
}

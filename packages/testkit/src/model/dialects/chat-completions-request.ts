/** A request of OpenAI's Chat Completions as its reference describes it; what many other providers speak too. */
import { z } from 'zod';
import { base64, complaintsOf, dataUrl, objectSchema, uniqueNames } from '../shapes.ts';

export const openAiName: z.ZodString = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
export const openAiParameters: ReturnType<typeof objectSchema> = objectSchema({
  notAtRoot: ['anyOf', 'oneOf', 'allOf', 'enum', 'not'],
  items: true,
});

const functionTool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: openAiName,
    description: z.string().max(1024).optional(),
    parameters: openAiParameters.optional(),
    strict: z.boolean().nullish(),
  }),
});

const textPart = z.strictObject({ type: z.literal('text'), text: z.string() });
const texts = z.union([z.string(), z.array(textPart).min(1)]);

const userPart = z.union([
  textPart,
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({ url: z.union([dataUrl, z.url()]), detail: z.string().optional() }),
  }),
  z.strictObject({
    type: z.literal('input_audio'),
    input_audio: z.strictObject({ data: base64, format: z.enum(['wav', 'mp3']) }),
  }),
]);

const toolCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: openAiName, arguments: z.string() }),
});

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer']), content: texts }),
  z.strictObject({ role: z.literal('user'), content: z.union([z.string(), z.array(userPart).min(1)]) }),
  z.strictObject({
    role: z.literal('assistant'),
    content: texts.nullish(),
    reasoning_content: z.string().optional(),
    tool_calls: z.array(toolCall).min(1).optional(),
  }),
  // Text only: this API takes no image in the answer of a tool.
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string().min(1), content: texts }),
]);

const request = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  tools: z.array(functionTool).min(1).max(128).optional(),
  stream: z.boolean().optional(),
});

export function chatComplaints(body: unknown): string[] {
  const complaints = complaintsOf(request, body);
  if (complaints.length > 0) return complaints;
  const { messages, tools = [] } = body as z.infer<typeof request>;
  return [...uniqueNames(tools.map(tool => tool.function.name)), ...unanswered(messages)];
}

/** Every call must be answered before anybody else speaks, and nothing else may be. */
function unanswered(messages: readonly z.infer<typeof message>[]): string[] {
  let open = new Set<string>();
  const complaints: string[] = [];
  for (const one of messages) {
    if (one.role === 'tool') {
      if (!open.delete(one.tool_call_id)) complaints.push(`messages: '${one.tool_call_id}' answers no call`);
      continue;
    }
    if (open.size > 0) complaints.push(`messages: no answer to ${[...open].join(', ')}`);
    open = new Set(one.role === 'assistant' ? one.tool_calls?.map(({ id }) => id) : []);
  }
  if (open.size > 0) complaints.push(`messages: no answer to ${[...open].join(', ')}`);
  return complaints;
}

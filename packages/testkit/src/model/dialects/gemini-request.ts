/** A request of the Gemini API's generateContent. */
import { z } from 'zod';
import { base64, complaintsOf, objectSchema, uniqueNames } from '../shapes.ts';

const name = z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/);

const functionDeclaration = z
  .strictObject({
    name,
    description: z.string().min(1),
    parameters: objectSchema({ notAtRoot: ['oneOf', 'allOf', '$ref', '$defs'], items: true }).optional(),
    parametersJsonSchema: objectSchema({ notAtRoot: [], items: true }).optional(),
  })
  .refine(({ parameters, parametersJsonSchema }) => !(parameters && parametersJsonSchema), {
    message: 'parameters and parametersJsonSchema exclude each other',
  });

const inlineData = z.strictObject({
  inlineData: z.strictObject({
    mimeType: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/),
    data: base64,
    displayName: z.string().optional(),
  }),
});

const functionResponse = z.strictObject({
  functionResponse: z.strictObject({
    id: z.string().optional(),
    name,
    response: z.record(z.string(), z.unknown()),
    parts: z.array(inlineData).min(1).optional(),
  }),
});

const functionCall = z.looseObject({
  functionCall: z.strictObject({ id: z.string().optional(), name, args: z.record(z.string(), z.unknown()).optional() }),
});

const text = z.looseObject({ text: z.string() });

const content = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    parts: z.array(z.union([functionResponse, inlineData, text])).min(1),
  }),
  z.strictObject({ role: z.literal('model'), parts: z.array(z.union([functionCall, text])).min(1) }),
]);

const request = z.looseObject({
  contents: z.array(content).min(1),
  tools: z.array(z.strictObject({ functionDeclarations: z.array(functionDeclaration).min(1) })).optional(),
});

export function geminiComplaints(body: unknown): string[] {
  const complaints = complaintsOf(request, body);
  if (complaints.length > 0) return complaints;
  const { contents, tools = [] } = body as z.infer<typeof request>;
  const names = tools.flatMap(tool => tool.functionDeclarations.map(one => one.name));
  return [...uniqueNames(names), ...unanswered(contents)];
}

/** A turn with calls is followed by just as many answers. */
function unanswered(contents: readonly z.infer<typeof content>[]): string[] {
  return contents.flatMap(({ role, parts }, index) => {
    if (role !== 'user') return [];
    const before = contents[index - 1]?.parts ?? [];
    const called = before.flatMap(part => ('functionCall' in part ? [part.functionCall as { name: string }] : []));
    const answered = parts.flatMap(part =>
      'functionResponse' in part ? [part.functionResponse as { name: string }] : [],
    );
    const same = JSON.stringify(called.map(one => one.name)) === JSON.stringify(answered.map(one => one.name));
    return same ? [] : [`contents.${index}: the answers are not those of the calls before`];
  });
}

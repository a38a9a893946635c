/** The Gemini API's generateContent. */
import { pieces, type Spoken } from '../turn.ts';
import { BREAKS, type Dialect, HANGS, type StreamStep } from './dialect.ts';
import { geminiComplaints } from './gemini-request.ts';

const MODEL = /\/models\/([^/:]+):/;

export const gemini: Dialect = {
  path: /\/models\/[^/]+:(?:generateContent|streamGenerateContent)$/,
  complaints: geminiComplaints,
  wantsStream: ({ path }) => path.endsWith(':streamGenerateContent'),
  modelOf: ({ path }) => MODEL.exec(path)?.[1] ?? '',
  answer: turn => chunk(turn, partsOf(turn), true),
  *stream(turn): Iterable<StreamStep> {
    const { text = '', reasoning = '' } = turn;
    for (const thought of pieces(reasoning)) yield { data: chunk(turn, [{ text: thought, thought: true }]) };
    for (const piece of pieces(text)) yield { data: chunk(turn, [{ text: piece }]) };
    if (turn.hangs) yield HANGS;
    if (turn.breaks) yield BREAKS;
    // Calls are not streamed: each comes whole.
    yield { data: chunk(turn, turn.calls.length > 0 ? callParts(turn) : [{ text: '' }], true) };
  },
  refusal: (status, message) => ({
    error: { code: status, message, status: status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL' },
  }),
};

function chunk({ id, model, tokens }: Spoken, parts: readonly object[], last = false): object {
  const { input, output } = tokens;
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(last ? { finishReason: 'STOP' } : {}) }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
    modelVersion: model,
    responseId: id,
  };
}

function partsOf(turn: Spoken): object[] {
  const { reasoning, text } = turn;
  return [
    ...(reasoning === undefined ? [] : [{ text: reasoning, thought: true }]),
    ...(text === undefined ? [] : [{ text }]),
    ...callParts(turn),
  ];
}

function callParts({ calls }: Spoken): object[] {
  return calls.map(({ id, name, args }) => ({
    functionCall: { id, name, args: JSON.parse(args) },
    thoughtSignature: 'c2lnbmVk',
  }));
}

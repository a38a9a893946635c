/** OpenAI's Chat Completions. */
import { pieces, type Spoken, scraps } from '../turn.ts';
import { chatComplaints } from './chat-completions-request.ts';
import { BREAKS, type Dialect, HANGS, type StreamStep } from './dialect.ts';

export const chatCompletions: Dialect = {
  path: /\/chat\/completions$/,
  complaints: chatComplaints,
  wantsStream: ({ body }) => body.stream === true,
  modelOf: ({ body }) => String(body.model),
  answer: turn => ({
    ...about(turn),
    object: 'chat.completion',
    choices: [{ index: 0, message: messageOf(turn), logprobs: null, finish_reason: reasonOf(turn) }],
    usage: usageOf(turn),
  }),
  *stream(turn, { body }) {
    const chunk = (delta: object, finish_reason: string | null = null): StreamStep => ({
      data: {
        ...about(turn),
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      },
    });
    yield chunk({ role: 'assistant', content: '' });
    for (const reasoning_content of pieces(turn.reasoning ?? '')) yield chunk({ reasoning_content });
    for (const content of pieces(turn.text ?? '')) yield chunk({ content });
    if (turn.hangs) yield HANGS;
    if (turn.breaks) yield BREAKS;
    for (const [index, { id, name, args }] of turn.calls.entries()) {
      yield chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
      for (const scrap of scraps(args)) yield chunk({ tool_calls: [{ index, function: { arguments: scrap } }] });
    }
    yield chunk({}, reasonOf(turn));
    const { include_usage } = (body.stream_options ?? {}) as { include_usage?: boolean };
    if (include_usage)
      yield { data: { ...about(turn), object: 'chat.completion.chunk', choices: [], usage: usageOf(turn) } };
  },
  lastLine: 'data: [DONE]\n\n',
  refusal: (status, message) => ({
    error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code: null },
  }),
};

function about({ id, model }: Spoken): object {
  return { id: `chatcmpl-${id}`, created: 1_790_000_000, model };
}

function messageOf({ text, reasoning, calls }: Spoken): object {
  return {
    role: 'assistant',
    content: text ?? null,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, args }) => ({
            id,
            type: 'function',
            function: { name, arguments: args },
          })),
        }),
  };
}

function reasonOf({ calls }: Spoken): string {
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

function usageOf({ tokens: { input, output } }: Spoken): object {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

/** OpenAI's Responses API. */
import { type ModelRequest, pieces, type Spoken, scraps } from '../turn.ts';
import { BREAKS, type Dialect, HANGS, type StreamStep } from './dialect.ts';
import { responsesComplaints } from './responses-request.ts';

type Item = { readonly id: string; readonly type: string } & Readonly<Record<string, unknown>>;

export const responses: Dialect = {
  path: /\/responses$/,
  complaints: responsesComplaints,
  wantsStream: ({ body }) => body.stream === true,
  modelOf: ({ body }) => String(body.model),
  answer: (turn, request) => ({ ...about(turn, 'completed'), output: itemsOf(turn, request), usage: usageOf(turn) }),
  *stream(turn, request) {
    let sequence_number = 0;
    const event = (type: string, data: object): StreamStep => ({
      event: type,
      data: { type, sequence_number: sequence_number++, ...data },
    });
    yield event('response.created', { response: { ...about(turn, 'in_progress'), output: [] } });
    for (const [output_index, item] of itemsOf(turn, request).entries()) {
      const place = { output_index, item_id: item.id };
      yield event('response.output_item.added', { output_index, item: begun(item) });
      if (item.type === 'message') {
        for (const delta of pieces(turn.text ?? ''))
          yield event('response.output_text.delta', { ...place, content_index: 0, delta });
        if (turn.hangs) yield HANGS;
        if (turn.breaks) yield BREAKS;
      }
      if (item.type === 'function_call') {
        for (const delta of scraps(String(item.arguments)))
          yield event('response.function_call_arguments.delta', { ...place, delta });
        yield event('response.function_call_arguments.done', { ...place, arguments: item.arguments });
      }
      yield event('response.output_item.done', { output_index, item });
    }
    const response = { ...about(turn, 'completed'), output: itemsOf(turn, request), usage: usageOf(turn) };
    yield event('response.completed', { response });
  },
  refusal: (status, message) => ({
    error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code: null },
  }),
};

function about({ id, model }: Spoken, status: string): object {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1_790_000_000,
    status,
    error: null,
    incomplete_details: null,
    model,
  };
}

function itemsOf({ id, text, reasoning, finds, calls }: Spoken, { body }: ModelRequest): Item[] {
  const items: Item[] = [];
  if (reasoning !== undefined)
    items.push({ id: `rs_${id}`, type: 'reasoning', summary: [{ type: 'summary_text', text: reasoning }] });
  if (finds) {
    const searched = { execution: 'server', call_id: null, status: 'completed' };
    items.push({ id: `tsc_${id}`, type: 'tool_search_call', ...searched, arguments: { paths: finds } });
    const tools = finds.map(name => ({ type: 'function', name, defer_loading: true }));
    items.push({ id: `tso_${id}`, type: 'tool_search_output', ...searched, tools });
  }
  if (text !== undefined) {
    const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
    items.push({ id: `msg_${id}`, type: 'message', status: 'completed', role: 'assistant', content });
  }
  for (const { id: call_id, name, args } of calls) {
    const call = { call_id, name, ...namespaceOf(name, body.tools), arguments: args };
    items.push({ id: `fc_${call_id}`, type: 'function_call', status: 'completed', ...call });
  }
  return items;
}

/** A tool that stands in a namespace is called with it. */
function namespaceOf(called: string, tools: unknown): { readonly namespace?: string } {
  const all = (tools ?? []) as { readonly name?: string; readonly tools?: readonly { readonly name: string }[] }[];
  const around = all.find(tool => tool.tools?.some(({ name }) => name === called));
  return around?.name === undefined ? {} : { namespace: around.name };
}

/** As an item looks before its content has come. */
function begun(item: Item): Item {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' };
  return item;
}

function usageOf({ tokens: { input, output } }: Spoken): object {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}

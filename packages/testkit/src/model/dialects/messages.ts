/** Anthropic's Messages API. */
import { pieces, type Spoken, scraps } from '../turn.ts';
import { BREAKS, type Dialect, HANGS, type StreamStep } from './dialect.ts';
import { messagesComplaints } from './messages-request.ts';

type Block = { readonly type: string } & Readonly<Record<string, unknown>>;

export const messages: Dialect = {
  path: /\/messages$/,
  complaints: messagesComplaints,
  wantsStream: ({ body }) => body.stream === true,
  modelOf: ({ body }) => String(body.model),
  answer: turn => ({ ...about(turn), content: blocksOf(turn), ...ending(turn), usage: usageOf(turn) }),
  *stream(turn) {
    const event = (type: string, data: object): StreamStep => ({ event: type, data: { type, ...data } });
    const empty = { ...about(turn), content: [], stop_reason: null, stop_sequence: null, usage: usageOf(turn) };
    yield event('message_start', { message: empty });
    for (const [index, block] of blocksOf(turn).entries()) {
      yield event('content_block_start', { index, content_block: begun(block) });
      for (const delta of deltasOf(block)) yield event('content_block_delta', { index, delta });
      if (block.type === 'text' && turn.hangs) yield HANGS;
      if (block.type === 'text' && turn.breaks) yield BREAKS;
      yield event('content_block_stop', { index });
    }
    yield event('message_delta', { delta: ending(turn), usage: usageOf(turn) });
    yield event('message_stop', {});
  },
  refusal: (status, message) => ({
    type: 'error',
    error: { type: status < 500 ? 'invalid_request_error' : 'api_error', message },
  }),
};

function about({ id, model }: Spoken): object {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model };
}

function blocksOf({ id, reasoning, text, finds, calls }: Spoken): Block[] {
  const blocks: Block[] = [];
  if (reasoning !== undefined) blocks.push({ type: 'thinking', thinking: reasoning, signature: 'c2lnbmVk' });
  if (finds) {
    const search = { id: `srvtoolu_${id}`, name: 'tool_search_tool_bm25', input: { query: finds.join(' ') } };
    blocks.push({ type: 'server_tool_use', ...search });
    const tool_references = finds.map(tool_name => ({ type: 'tool_reference', tool_name }));
    blocks.push({
      type: 'tool_search_tool_result',
      tool_use_id: search.id,
      content: { type: 'tool_search_tool_search_result', tool_references },
    });
  }
  if (text !== undefined) blocks.push({ type: 'text', text });
  for (const { id: call, name, args } of calls)
    blocks.push({ type: 'tool_use', id: call, name, input: JSON.parse(args) });
  return blocks;
}

function begun(block: Block): Block {
  if (block.type === 'text') return { ...block, text: '' };
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' };
  return 'input' in block ? { ...block, input: {} } : block;
}

function deltasOf(block: Block): object[] {
  if (block.type === 'text') return pieces(String(block.text)).map(text => ({ type: 'text_delta', text }));
  if (block.type === 'thinking') {
    const thoughts = pieces(String(block.thinking)).map(thinking => ({ type: 'thinking_delta', thinking }));
    return [...thoughts, { type: 'signature_delta', signature: block.signature }];
  }
  if (!('input' in block)) return [];
  return scraps(JSON.stringify(block.input)).map(partial_json => ({ type: 'input_json_delta', partial_json }));
}

function ending({ calls }: Spoken): object {
  return { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null };
}

function usageOf({ tokens: { input, output } }: Spoken): object {
  return { input_tokens: input, output_tokens: output };
}

/** `read_result`, by which a model reads on in a result that was cut. */
import type { Host, ResultReading, ToolResult } from '@junctor/core';
import { READ_RESULT } from '@junctor/core/inside';
import { textForModel } from '../result/for-model.ts';
import { type OwnTool, ownTool } from './own-tools.ts';

export function readResult(host: Host): OwnTool {
  return ownTool(host, READ_RESULT, {
    run: async ({ id, ...query }, { session }) => ({
      result: asResult(host, await host.readResult(String(id), query, session)),
    }),
  });
}

/** What is read are the words of the server that said them; how to go on is ours. */
function asResult(host: Host, { id, server, tool, text, range, chars, more, media }: ResultReading): ToolResult {
  if (media) return { success: true, output: text, parts: [mediaPart(media)] };
  const said = textForModel(host, { result: textResult(text), from: { server, tool } });
  if (!more) return textResult(said);
  const next = JSON.stringify({ id, ...more });
  return textResult(`${said}\n[characters ${range.join(' to ')} of ${chars}. Go on with ${next}]`);
}

function textResult(text: string): ToolResult {
  return { success: true, output: text, parts: [{ type: 'text', text }] };
}

function mediaPart({ mimeType, data }: NonNullable<ResultReading['media']>): ToolResult['parts'][number] {
  if (mimeType.startsWith('image/')) return { type: 'image', mimeType, data };
  return { type: 'resource', resource: { uri: '', mimeType, blob: data } };
}

/** Tools of Junctor itself that a model needs beside those of servers. Their names are never given to another tool. */
import type { Host, ResultReading, ToolResult } from '@junctor/core';
import { textForModel } from '../result/for-model.ts';
import { type Answered, told } from './call-for-model.ts';
import type { RunOptions } from './options.ts';
import type { ModelTool } from './toolbox.ts';

export interface OwnTool extends ModelTool {
  run(host: Host, args: Readonly<Record<string, unknown>>, options: RunOptions): Promise<Answered>;
}

/** Results that were cut say how to read on with it. */
const readResult: OwnTool = {
  name: 'read_result',
  description: [
    'Reads on in a result that was cut. Give its id and one of these:',
    'range, the characters to read; search, words to find; path, a value of JSON; media, the number of a picture.',
  ].join(' '),
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'As the cut result names it' },
      range: {
        type: 'array',
        description: 'The first character, and the one after the last',
        items: { type: 'integer' },
        minItems: 2,
        maxItems: 2,
      },
      search: { type: 'string', description: 'Words to find, in upper or lower case' },
      path: { type: 'string', description: 'Such as $.items[0].name' },
      media: { type: 'integer', description: 'Counted from 0, as the result names it' },
    },
    required: ['id'],
  },
  strict: false,
  async run(host, { id, ...query }, { session }) {
    try {
      return { result: asResult(host, await host.readResult(String(id), query, session)) };
    } catch (error) {
      return told(host, error);
    }
  },
};

export const OWN_TOOLS: readonly OwnTool[] = [readResult];

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

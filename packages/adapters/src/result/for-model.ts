/** A result as the parts that one API takes in the answer of a tool. What it does not take is named in words. */
import type { Host, ToolRef } from '@junctor/core';
import { base64Bytes, type ModelContentOptions, type ModelPart, modelContent, modelText } from '@junctor/core/internal';
import { plainText } from '@junctor/core/light';
import type { Answered } from '../toolbox/call-for-model.ts';

export type { ModelPart };
export type MediaPart = Exclude<ModelPart, { readonly type: 'text' }>;

/** Never empty: some APIs refuse an answer without content. */
export function partsForModel(
  host: Host,
  { result, from }: Answered,
  takes: (part: MediaPart) => boolean,
): ModelPart[] {
  const kinds = { image: true, audio: true, file: true };
  const parts = modelContent(result, { takes: kinds, ...originOf(host, from) }).flatMap((part): ModelPart[] => {
    if (part.type === 'text') return part.text === '' ? [] : [part];
    return [isBase64(part.data) && takes(part) ? part : { type: 'text', text: nameOf(part) }];
  });
  return parts.length > 0 ? parts : [{ type: 'text', text: NOTHING }];
}

/** The same as one text, for an API that takes no other. */
export function textForModel(host: Host, { result, from }: Answered): string {
  return modelText(result, originOf(host, from)) || NOTHING;
}

const NOTHING = '(no output)';

function originOf(host: Host, from: ToolRef | undefined): Pick<ModelContentOptions, 'from'> {
  if (!from) return {};
  const { server, tool } = from;
  return { from: { server, tool, trusted: host.server(server)?.trusted ?? false } };
}

/** One picture that is none makes an API refuse the whole request. */
function isBase64(data: string): boolean {
  return data !== '' && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}

const MAX_URI_CHARS = 500;

function nameOf(part: MediaPart): string {
  const bytes = base64Bytes(part.data);
  const uri = part.type === 'file' && part.uri !== undefined ? plainText(part.uri, { maxChars: MAX_URI_CHARS }) : '';
  return `[${[`${part.type} ${part.mimeType}`, `${bytes} bytes`, uri].filter(Boolean).join(', ')}]`;
}

/** A result as the AI SDK passes it on to a model: text, media, an error, or a no. */

import type { Host } from '@junctor/core';
import type { Tool } from 'ai';
import { type ModelPart, partsForModel, textForModel } from '../result/for-model.ts';
import type { Answered } from '../toolbox/call-for-model.ts';
import type { ModelTraits } from './model-traits.ts';

type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>;
type OutputPart = Extract<ModelOutput, { type: 'content' }>['value'][number];

export function modelOutput(host: Host, answered: Answered, { takes }: ModelTraits): ModelOutput {
  const { success, denied } = answered.result;
  if (denied) return { type: 'execution-denied', reason: textForModel(host, answered) };
  if (!success) return { type: 'error-text', value: textForModel(host, answered) };
  const parts = partsForModel(host, answered, takes);
  if (parts.every(part => part.type === 'text'))
    return { type: 'text', value: parts.map(({ text }) => text).join('\n') };
  return { type: 'content', value: parts.map(outputPart) };
}

function outputPart(part: ModelPart): OutputPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { mimeType: mediaType, data } = part;
  return { type: 'file', mediaType, data: { type: 'data', data } };
}

/** The agent's model, run for a server that asks for it. Whether it may ask is decided before it gets here. */
import type { Sample, SamplingContent } from '@junctor/core';
import { generateText, type LanguageModel, type ModelMessage } from 'ai';

export function sampleWith(model: LanguageModel): Sample {
  return async (request, { signal }) => {
    const { text, finishReason, response } = await generateText({
      model,
      ...(request.systemPrompt === undefined ? {} : { instructions: request.systemPrompt }),
      messages: request.messages.map(
        ({ role, content }): ModelMessage => ({ role, content: [content].flat().map(textOf).join('\n') }),
      ),
      maxOutputTokens: request.maxTokens,
      abortSignal: signal,
    });
    return {
      role: 'assistant',
      content: { type: 'text', text },
      model: response.modelId,
      stopReason: finishReason === 'length' ? 'maxTokens' : 'endTurn',
    };
  };
}

function textOf(content: SamplingContent): string {
  return content.type === 'text' ? String(content.text) : `[${content.type}]`;
}

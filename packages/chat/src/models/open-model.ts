/** A chosen model as the AI SDK speaks to it. Only the package of its provider is loaded. */
import type { LanguageModel } from 'ai';
import type { ModelChoice } from './model-choice.ts';

export async function openModel(choice: ModelChoice, apiKey: string | undefined): Promise<LanguageModel> {
  const { provider, name, baseUrl } = choice;
  const settings = {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  };
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ apiKey: 'none', ...settings })(name);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ apiKey: 'none', ...settings })(name);
    }
    case 'openai':
      if (baseUrl === undefined) {
        const { createOpenAI } = await import('@ai-sdk/openai');
        return createOpenAI(settings)(name);
      }
  }
  // What stands behind another address speaks Chat Completions; the newer API is OpenAI's own.
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({ name: provider, includeUsage: true, ...settings, baseURL: baseUrl as string })(name);
}

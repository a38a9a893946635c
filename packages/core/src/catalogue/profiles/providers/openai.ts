import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Chat Completions, and the many hosts that speak the same. */
export const openai: ProfileDef = {
  title: 'OpenAI Chat Completions',
  models: ['gpt-*', 'chatgpt-*', 'o1*', 'o3*', 'o4*'],
  names: { characters: 'A-Za-z0-9_-', max_length: 64 },
  description_chars: 1024,
  max_tools: 128,
  media: [],
  schema: {
    root_combinators: false,
    items_required: true,
    tuples: 'none',
    strict: true,
  },
  sources: [
    'platform.openai.com/docs: function calling, structured outputs',
    'description over 1,024 characters refused: getsentry/sentry-mcp#106, FoundationAgents/OpenManus#993',
    'more than 128 tools refused: zed-industries/zed#32946, anomalyco/opencode#4909',
    'array without items, root combinators: langchain-ai/langchainjs#9804, anomalyco/opencode#2082',
  ],
};

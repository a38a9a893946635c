import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Puts every MCP tool behind its own search. */
export const codex: ProfileDef = {
  title: 'Codex',
  provider: 'openai-responses',
  // The namespace mcp__key and the name count together; longer ones are cut and get a hash.
  names: { characters: 'A-Za-z0-9_-', max_length: 128, prefix: 'mcp__{key}__', forbidden: [] },
  // They stand behind its own search, not in the request.
  max_tools: 10_000,
  list_changed: false,
  transports: ['stdio', 'http'],
  media: ['image'],
  schema: { budget_bytes: 5000 },
  sources: [
    'tried with 0.166.0; schemas over 5,000 bytes are made smaller',
    'list_changed: openai/codex#10105, #33266, #35583, #37417',
  ],
};

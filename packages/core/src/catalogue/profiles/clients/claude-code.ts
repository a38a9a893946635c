import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Defers tools by itself and searches them. */
export const claudeCode: ProfileDef = {
  title: 'Claude Code',
  provider: 'anthropic',
  // Longer names are left out without a word.
  names: { characters: 'A-Za-z0-9_-', max_length: 128, prefix: 'mcp__{key}__', forbidden: [] },
  list_changed: true,
  transports: ['stdio', 'http', 'sse', 'ws'],
  media: ['image', 'file'],
  context_window: 200_000,
  sources: ['tried with 2.1.325', 'list_changed: anthropics/claude-code#4118'],
};

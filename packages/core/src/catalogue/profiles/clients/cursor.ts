import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Leaves out what is too long or too much. */
export const cursor: ProfileDef = {
  title: 'Cursor',
  provider: 'default',
  // 60 characters of server and tool together are too many, without a sign between them.
  names: { characters: 'A-Za-z0-9_-', max_length: 59, prefix: '{key}', forbidden: [] },
  max_tools: 80,
  list_changed: false,
  transports: ['stdio', 'http', 'sse'],
  sources: [
    'names: ComposioHQ/composio#2788, PostHog/posthog#51483',
    'tools: Snowflake-Labs/mcp#77',
    'list_changed: cursor/cursor#2980',
  ],
};

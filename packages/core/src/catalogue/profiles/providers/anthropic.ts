import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Draft 2020-12 nearly as it is. One tool it cannot read fails the whole request. */
export const anthropic: ProfileDef = {
  title: 'Anthropic Messages',
  models: ['claude-*'],
  names: { characters: 'A-Za-z0-9_-', max_length: 128 },
  media: ['image'],
  schema: {
    root_combinators: false,
    tuples: 'prefix',
    property_names: { characters: 'A-Za-z0-9_.-', max_length: 64 },
    property_names_at: 'root',
  },
  sources: [
    'docs.anthropic.com: tool use; the pattern of names is told by the error itself',
    'root combinators refused: anthropics/claude-code#27337, dearlordylord/huly-mcp#66',
  ],
};

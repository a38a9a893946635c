import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** The Converse API. The models behind it differ: what the strictest of them reads is offered. */
export const bedrock: ProfileDef = {
  title: 'Amazon Bedrock Converse',
  models: ['amazon.*', 'us.amazon.*', 'anthropic.*', 'us.anthropic.*', 'eu.anthropic.*', 'meta.*', 'mistral.*'],
  names: { characters: 'A-Za-z0-9_-', max_length: 64 },
  media: ['image', 'file'],
  schema: {
    root_combinators: false,
    references: 'inline',
    tuples: 'prefix',
    property_names: { characters: 'A-Za-z0-9_.-', max_length: 64 },
    property_names_at: 'root',
  },
  sources: [
    'docs.aws.amazon.com/bedrock: ToolSpecification (name 1 to 64, [a-zA-Z0-9_-]+), ToolInputSchema (the root is an object)',
    'names over 64: microsoft/mcp#842',
  ],
};

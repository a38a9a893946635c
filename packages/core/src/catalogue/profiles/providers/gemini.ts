import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** `parameters` of a function declaration: a subset of OpenAPI 3.0, not of JSON Schema. */
export const gemini: ProfileDef = {
  title: 'Google Gemini',
  models: ['gemini-*'],
  // 64 is documented; at 64 requests were seen to fail.
  names: { first: 'A-Za-z_', characters: 'A-Za-z0-9_.:-', max_length: 63 },
  media: ['image', 'audio', 'file'],
  schema: {
    root_combinators: false,
    references: 'inline',
    keywords: [
      ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'default', 'example', 'anyOf'],
      ...['properties', 'required', 'minProperties', 'maxProperties', 'items', 'minItems', 'maxItems'],
      ...['minLength', 'maxLength', 'pattern', 'minimum', 'maximum'],
    ],
    formats: ['enum', 'date-time', 'int32', 'int64', 'float', 'double'],
    type_lists: false,
    null: 'nullable',
    enums: 'strings',
    any_of: 'alone',
    items_required: true,
    tuples: 'none',
    typed: true,
    property_names: { first: 'A-Za-z_', characters: 'A-Za-z0-9_.:-', max_length: 64 },
    max_depth: 32,
  },
  sources: [
    'ai.google.dev/api: Schema, FunctionDeclaration',
    'one bad schema blocks all tools: google-gemini/gemini-cli#13326, mcp-router/mcp-router#176',
    'type as a list, enum of numbers: nanbingxyz/5ire#218; empty enum values: sbroenne/mcp-server-excel#607',
    'properties outside objects: anomalyco/opencode#11889; a schema without type: google-gemini/gemini-cli#4400',
    'const, oneOf: taylorwilsdon/google_workspace_mcp#1099',
  ],
};

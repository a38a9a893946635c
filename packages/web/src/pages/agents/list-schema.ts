/** The schema of what the JSON editor holds, made from the published one: servers say `type`, and what people read stands apart. */
import published from '@junctor/core/junctor.schema.json';
import type { JsonSchema } from '../../parts/json-editor/json-schema.ts';

const { stdio, remote } = published.$defs as Record<'stdio' | 'remote', ServerSchema>;
const { propertyNames } = published.properties.servers;

type ServerSchema = JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> };

export const LIST_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['servers'],
  additionalProperties: false,
  properties: {
    servers: {
      type: 'object',
      description: published.properties.servers.description,
      propertyNames,
      additionalProperties: { anyOf: [asPosted(stdio), asPosted(remote)] },
    },
    meta: {
      type: 'object',
      description: 'By id: how to show servers to people.',
      propertyNames,
      additionalProperties: stdio.properties.meta as JsonSchema,
    },
  },
};

function asPosted({ properties, required = [], ...rest }: ServerSchema): JsonSchema {
  const { transport, meta: _meta, ...others } = properties;
  return {
    ...rest,
    properties: { type: transport as JsonSchema, ...others },
    required: required.map(key => (key === 'transport' ? 'type' : key)),
  };
}

/** The OpenAPI document, made from the very schemas that requests are checked with. */
import { VERSION } from '@junctor/core';
import * as z from 'zod/mini';
import { ErrorAnswer } from '../failure.ts';
import type { AnswerSpec, Route } from '../route.ts';
import {
  AgentMcpConfig,
  AgentMcpConfigBody,
  ExecutorMcpPolicy,
  McpMetaDef,
  McpServerDef,
} from '../shapes/agent-config.ts';

/** Schemas that have a name of their own in the document. */
const NAMED = { AgentMcpConfig, AgentMcpConfigBody, McpServerDef, McpMetaDef, ExecutorMcpPolicy, Error: ErrorAnswer };

type Json = Record<string, unknown>;

export function openApiDocument(routes: readonly Route[]): Json {
  const schemas = new SchemaWriter();
  const failure = { description: 'It could not be done.', content: json(schemas.write(ErrorAnswer, 'output')) };
  const paths: Record<string, Json> = {};
  for (const { method, path, summary, params, query, body, answers } of routes) {
    const entries = Object.entries(answers).map(([status, answer]) => [status, describeAnswer(answer, schemas)]);
    const parameters = [...parametersOf('path', params, schemas), ...parametersOf('query', query, schemas)];
    paths[path] = {
      ...paths[path],
      [method]: {
        summary,
        ...(parameters.length > 0 ? { parameters } : {}),
        ...(body ? { requestBody: { required: true, content: json(schemas.write(body, 'input')) } } : {}),
        responses: { ...Object.fromEntries(entries), default: failure },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Junctor hub', version: VERSION, description: 'One governed MCP door for every agent.' },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'A person token: junctor hub token.' } },
      schemas: schemas.named,
    },
  };
}

function describeAnswer({ description, schema, contentType }: AnswerSpec, schemas: SchemaWriter): Json {
  if (contentType) return { description, content: { [contentType]: { schema: { type: 'string' } } } };
  return { description, ...(schema ? { content: json(schemas.write(schema, 'output')) } : {}) };
}

function parametersOf(place: 'path' | 'query', schema: Route['query'], schemas: SchemaWriter): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemas.write(schema, 'output') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description ? { description } : {}),
    schema: rest,
  }));
}

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}

/** Turns schemas into JSON Schema; what has a name is described once. */
class SchemaWriter {
  readonly named: Record<string, Json> = {};
  readonly #names = z.registry<{ id: string }>();

  constructor() {
    for (const [id, schema] of Object.entries(NAMED)) this.#names.add(schema, { id });
  }

  write(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
    const written = z.toJSONSchema(schema, { io, metadata: this.#names as never, unrepresentable: 'any' }) as Json;
    const { $schema: _dialect, $defs = {}, ...rest } = withRefs(written) as Json & { $defs?: Record<string, Json> };
    for (const [name, definition] of Object.entries($defs)) this.named[name] ??= plain(definition);
    const { id } = this.#names.get(schema) ?? {};
    if (id === undefined) return rest;
    this.named[id] ??= plain(rest);
    return { $ref: `#/components/schemas/${id}` };
  }
}

function plain({ id: _id, ...schema }: Json): Json {
  return schema;
}

/** Where a document keeps its definitions. */
function withRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withRefs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' ? [key, String(inner).replace('#/$defs/', '#/components/schemas/')] : [key, withRefs(inner)],
    ),
  );
}

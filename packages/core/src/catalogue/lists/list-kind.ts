/** The lists that servers offer, as data: how each is asked for, and what an item needs to be used. */
import { isObject } from '../../base/json/is-object.ts';
import type { ToolDefinition } from '../entry.ts';
import { type Fields, PROMPT_FIELDS, RESOURCE_FIELDS, RESOURCE_TEMPLATE_FIELDS, TOOL_FIELDS } from './repair.ts';

/** What servers announce changes of. Resource templates change with the resources. */
export type ListName = 'tools' | 'resources' | 'prompts';

export interface ListKind<Item> {
  readonly method: string;
  /** Where a page holds its items. */
  readonly key: string;
  /** One item, in a sentence. */
  readonly noun: string;
  /** The capability of servers that have such a list, and the name its changes are announced by. */
  readonly list: ListName;
  /** The field that tells items apart. */
  readonly identity: 'name' | 'uri' | 'uriTemplate';
  /** Sorted lists are the same bytes each time, whatever order the server had them in. */
  readonly sorted?: boolean;
  /** A server with the capability may still not know the method: then its list is empty. */
  readonly optional?: boolean;
  /** What the protocol says of its fields. */
  readonly fields: Fields;
  /** Fills in what a server left out and clients need. */
  complete?(item: Item): Item;
}

/** A resource as its server describes it. */
export interface ResourceDefinition {
  /** What `host.readResource` takes. */
  readonly uri: string;
  /** What to call it. */
  readonly name?: string;
  /** What it holds, in the server's words. */
  readonly description?: string;
  /** What kind of text or bytes it is. */
  readonly mimeType?: string;
  readonly [field: string]: unknown;
}

/** A pattern of addresses of resources, as its server describes it. */
export interface ResourceTemplateDefinition {
  /** Such as `file:///{path}` (RFC 6570): filled in, it is what `host.readResource` takes. */
  readonly uriTemplate: string;
  /** What to call it. */
  readonly name?: string;
  /** What is found there, in the server's words. */
  readonly description?: string;
  /** What all of them are, where that is the same. */
  readonly mimeType?: string;
  readonly [field: string]: unknown;
}

/** A prompt as its server describes it. */
export interface PromptDefinition {
  /** What `host.getPrompt` takes. */
  readonly name: string;
  /** What it is for, in the server's words. */
  readonly description?: string;
  /** What can, or must, be filled in. */
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
  readonly [field: string]: unknown;
}

export const TOOLS: ListKind<ToolDefinition> = {
  method: 'tools/list',
  key: 'tools',
  noun: 'tool',
  list: 'tools',
  identity: 'name',
  sorted: true,
  fields: TOOL_FIELDS,
  complete: withSchema,
};

export const RESOURCES: ListKind<ResourceDefinition> = {
  method: 'resources/list',
  key: 'resources',
  noun: 'resource',
  list: 'resources',
  identity: 'uri',
  fields: RESOURCE_FIELDS,
  complete: item => withName(item, item.uri),
};

export const RESOURCE_TEMPLATES: ListKind<ResourceTemplateDefinition> = {
  method: 'resources/templates/list',
  key: 'resourceTemplates',
  noun: 'resource template',
  list: 'resources',
  identity: 'uriTemplate',
  optional: true,
  fields: RESOURCE_TEMPLATE_FIELDS,
  complete: item => withName(item, item.uriTemplate),
};

export const PROMPTS: ListKind<PromptDefinition> = {
  method: 'prompts/list',
  key: 'prompts',
  noun: 'prompt',
  list: 'prompts',
  identity: 'name',
  fields: PROMPT_FIELDS,
};

function withSchema(tool: ToolDefinition): ToolDefinition {
  return isObject(tool.inputSchema) ? tool : { ...tool, inputSchema: { type: 'object', additionalProperties: true } };
}

/** The protocol wants a name of every resource, and clients refuse a list for one that has none. */
function withName<Item extends { readonly name?: string }>(item: Item, name: string): Item {
  return typeof item.name === 'string' ? item : { ...item, name };
}

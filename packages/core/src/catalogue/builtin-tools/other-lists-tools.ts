/** Tools of ours for what servers offer beside tools. Models see them where some server has resources or prompts. */
import type { OwnDefinition } from './own-definition.ts';

const server = { type: 'string', description: 'The id of one server. Default: all of them' };
const itsServer = { type: 'string', description: 'The id of the server that has it, as the list names it' };

export const RESOURCES_LIST: OwnDefinition = {
  name: 'mcp_resources_list',
  description: 'Lists the resources of MCP servers: texts and files that can be read with mcp_resource_read.',
  inputSchema: { type: 'object', properties: { server } },
};

export const RESOURCE_TEMPLATES_LIST: OwnDefinition = {
  name: 'mcp_resource_templates_list',
  description:
    'Lists the resource templates of MCP servers: addresses with {variables}. Filled in, one is read with mcp_resource_read.',
  inputSchema: { type: 'object', properties: { server } },
};

export const RESOURCE_READ: OwnDefinition = {
  name: 'mcp_resource_read',
  description: 'Reads one resource of an MCP server.',
  inputSchema: {
    type: 'object',
    properties: { server: itsServer, uri: { type: 'string', description: 'As the list names it' } },
    required: ['server', 'uri'],
  },
};

export const PROMPTS_LIST: OwnDefinition = {
  name: 'mcp_prompts_list',
  description: 'Lists the prompts of MCP servers: prepared texts, some with arguments, to be had with mcp_prompt_get.',
  inputSchema: { type: 'object', properties: { server } },
};

export const PROMPT_GET: OwnDefinition = {
  name: 'mcp_prompt_get',
  description: 'Gets one prompt of an MCP server, with its arguments filled in.',
  inputSchema: {
    type: 'object',
    properties: {
      server: itsServer,
      name: { type: 'string', description: 'As the list names it' },
      arguments: { type: 'object', description: 'A text for each argument, by its name' },
    },
    required: ['server', 'name'],
  },
};

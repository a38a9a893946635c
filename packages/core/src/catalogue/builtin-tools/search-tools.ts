/**
 * The tools that stand in for all others where tools are searched. Nothing in them depends on what servers offer, so that
 * they are the same, byte for byte, in every request of a run: what a provider has cached stays good.
 */
import type { OwnDefinition } from './own-definition.ts';

export const DEFAULT_FOUND = 5;
export const MAX_FOUND = 20;

export const FIND_TOOLS: OwnDefinition = {
  name: 'find_tools',
  annotations: { title: 'Find tools', readOnlyHint: true },
  description: [
    'Searches the tools of all connected MCP servers, which are not listed here.',
    'Say what you want to do, or the name of a tool.',
    'The answer names the best tools and their parameters; run one with call_tool.',
    'Search before you conclude that there is no tool for something.',
  ].join(' '),
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What the tool should do, in a few words, or its name' },
      limit: { type: 'integer', description: `How many tools to name. Default ${DEFAULT_FOUND}, at most ${MAX_FOUND}` },
    },
    required: ['query'],
  },
};

export const DESCRIBE_TOOL: OwnDefinition = {
  name: 'describe_tool',
  annotations: { title: 'Describe a tool', readOnlyHint: true },
  description:
    'Tells all about one tool that find_tools found: its whole description and the JSON Schema of its arguments.',
  inputSchema: {
    type: 'object',
    properties: { name: { type: 'string', description: 'As find_tools names it' } },
    required: ['name'],
  },
};

export const CALL_TOOL: OwnDefinition = {
  name: 'call_tool',
  annotations: { title: 'Call a tool', readOnlyHint: false },
  description: 'Runs a tool that find_tools found. The arguments must fit the schema of that tool.',
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'As find_tools names it' },
      arguments: { type: 'object', description: 'The arguments of that tool, by name' },
    },
    required: ['name'],
  },
};

/** Results that were cut say how to read on with it. */
export const READ_RESULT: OwnDefinition = {
  name: 'read_result',
  annotations: { title: 'Read on in a result', readOnlyHint: true },
  description: [
    'Reads on in a result that was cut. Give its id and one of these:',
    'range, the characters to read; search, words to find; path, a value of JSON; media, the number of a picture.',
  ].join(' '),
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'As the cut result names it' },
      range: {
        type: 'array',
        description: 'The first character, and the one after the last',
        items: { type: 'integer' },
        minItems: 2,
        maxItems: 2,
      },
      search: { type: 'string', description: 'Words to find, in upper or lower case' },
      path: { type: 'string', description: 'Such as $.items[0].name' },
      media: { type: 'integer', description: 'Counted from 0, as the result names it' },
    },
    required: ['id'],
  },
};

/** In the order they are listed. */
export const SEARCH_TOOLS: readonly OwnDefinition[] = [FIND_TOOLS, DESCRIBE_TOOL, CALL_TOOL, READ_RESULT];

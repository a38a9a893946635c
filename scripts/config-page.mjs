// Writes the tables of docs/config.md, the JSON Schema for editors and the commented types for programs from the one schema
// of the config. A test compares them: after a change of packages/core/src/config/schema/schema.ts, run
// `node scripts/config-page.mjs`.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJSONSchema } from 'zod/v4/core';
import { FileFrame } from '../packages/core/src/config/schema/schema.ts';
import { RemoteServer, StdioServer } from '../packages/core/src/config/schema/server-schema.ts';
import { SERVER_ID } from '../packages/core/src/config/schema/server-words.ts';
import { configTypes } from './config-types.mjs';
import { ROOT } from './setup.mjs';

const PAGE = join('docs', 'config.md');
const SCHEMA = join('packages', 'core', 'schema', 'junctor.schema.json');

/** What stands above this line in the page is written by hand, and stays. */
const MARK = '<!-- From here on written by scripts/config-page.mjs. -->';

/** Sections with a table of their own, in the order of the page, and what to know before reading it. */
const SECTIONS = {
  servers: `By id: 1 to 64 letters, digits, \`_\` or \`-\`. An entry is a whole definition, or \`{ "enabled": false }\` alone,
which switches off a server that a lower layer defines. An entry that is written wrongly does so, too. \`args\`, \`cwd\` and \`env\` are for the program that is started.`,
  permissions: `Patterns of \`mcp__<server>__<tool>\`, with \`*\` for anything. Deny beats ask, ask beats allow. What no rule
covers is asked, unless its server is trusted. The rules of all layers count together. A pattern may name arguments too:
see [permissions](permissions.md). What stands under another key than these is denied.`,
  defaults: 'For servers that do not set the key themselves.',
  agents:
    'By the id of the agent, such as `claude-code`. An agent that is not named here gets every server; one that is written wrongly gets none.',
  executors: `By name: \`local\`, \`docker\`, \`ssh\`, \`k8s\`, \`sandbox\`, or one of yours. What you do not set is as
[the table of executors](executors.md#default-policies) says.`,
  bundles: 'By a name of your choice. Allow first, then deny.',
  naming: 'How tools are called where the client adds no prefix of its own.',
  model_profiles: `By an id of yours, or by that of a built-in profile to change it; \`client_profiles\` is the same for clients.
[Names, profiles and schemas](names.md#add-a-profile) has an example.`,
  search: 'When an agent gets tools to search with, in place of all definitions.',
  results: 'What becomes of what tools answer.',
  health: 'How servers are watched, and brought back.',
  log: 'What Junctor writes about itself.',
};

const WORDS = { string: 'text', boolean: '`true` or `false`', integer: 'whole number', number: 'number' };
const PLURALS = { string: 'texts', integer: 'whole numbers', object: 'objects' };

if (import.meta.main) {
  for (const [file, content] of Object.entries(generated())) writeFileSync(join(ROOT, file), content);
}

/** What each of the files should hold, by their paths in the workspace. */
export function generated() {
  const schema = jsonSchema();
  const sources = { [SCHEMA]: JSON.stringify(schema, null, 2), ...configTypes(schema) };
  const entries = Object.entries(sources).map(([file, text]) => [file, formatted(file, text)]);
  return { [PAGE]: page(schema), ...Object.fromEntries(entries) };
}

function jsonSchema() {
  const { $schema, ...frame } = asJsonSchema(FileFrame);
  return {
    $schema,
    title: 'Junctor config',
    description: 'Servers, and what agents may do with them.',
    ...frame,
    properties: {
      ...frame.properties,
      servers: {
        ...frame.properties.servers,
        propertyNames: { pattern: SERVER_ID.source },
        additionalProperties: { anyOf: ['stdio', 'remote', 'switch'].map(name => ({ $ref: `#/$defs/${name}` })) },
      },
    },
    $defs: {
      stdio: { title: 'A program', ...part(StdioServer) },
      remote: { title: 'A server with an address', ...part(RemoteServer) },
      switch: {
        title: 'A switch',
        description: 'Switches a server that a lower layer defines on or off.',
        type: 'object',
        properties: { enabled: { type: 'boolean' } },
        required: ['enabled'],
        additionalProperties: false,
      },
    },
  };
}

function part(schema) {
  const { $schema: _inherited, ...rest } = asJsonSchema(schema);
  return rest;
}

function asJsonSchema(schema) {
  return toJSONSchema(schema, { io: 'input', override: ({ jsonSchema: node }) => withoutNoise(node) });
}

/** True of every number and every key in JSON, and in the way of whoever reads it. */
function withoutNoise(node) {
  if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
  if (node.propertyNames && !node.propertyNames.pattern) delete node.propertyNames;
}

function page(schema) {
  const { properties, $defs } = schema;
  const shared = Object.keys($defs.stdio.properties).filter(key => same($defs.stdio, $defs.remote, key));
  const servers = [
    ['A program: `"transport": "stdio"`', without($defs.stdio, shared)],
    ['A server with an address', without($defs.remote, shared)],
    ['Any server', only($defs.stdio, shared)],
  ].map(([title, node]) => `### ${title}\n\n${keyTable(node)}`);
  const sections = Object.entries(SECTIONS).map(([key, words]) => {
    const node = properties[key];
    const inside = typeof node.additionalProperties === 'object' ? node.additionalProperties : node;
    return `## \`${key}\`\n\n${words}\n\n${key === 'servers' ? servers.join('\n\n') : keyTable(inside)}`;
  });
  const top = `## The file\n\n${keyTable(schema, key => (SECTIONS[key] ? `[\`${key}\`](#${key})` : `\`${key}\``))}`;
  return `${[handWritten(), MARK, top, ...sections].join('\n\n')}\n`;
}

function handWritten() {
  const [words, tables] = readFileSync(join(ROOT, PAGE), 'utf8').split(MARK);
  if (tables === undefined) throw new Error(`${PAGE} has lost its line ${MARK}`);
  return words.trimEnd();
}

function same(one, other, key) {
  return JSON.stringify(one.properties[key]) === JSON.stringify(other.properties[key]);
}

function only(node, keys) {
  return { ...node, properties: Object.fromEntries(keys.map(key => [key, node.properties[key]])) };
}

function without(node, keys) {
  return only(
    node,
    Object.keys(node.properties).filter(key => !keys.includes(key)),
  );
}

/** The keys of an object, those of objects inside it as `tools.allow`. */
function keyTable(node, link = key => `\`${key}\``) {
  return table(['key', 'value', 'meaning'], rows(node, link));
}

function rows({ properties, required = [] }, link, prefix = '') {
  return Object.entries(properties).flatMap(([key, node]) => {
    const name = `${prefix}${key}`;
    const must = required.includes(key) ? ', required' : '';
    const inside = [node, ...(node.anyOf ?? [])].find(one => one.properties);
    const isSection = prefix === '' && key in SECTIONS && link(key) !== `\`${key}\``;
    return [
      [link(name), `${typeWords(node)}${must}`, node.description ?? ''],
      ...(inside && !isSection ? rows(inside, link, `${name}.`) : []),
    ];
  });
}

function typeWords(node) {
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (node.enum) return node.enum.map(word => `\`"${word}"\``).join(', ');
  if (node.anyOf) return node.anyOf.map(typeWords).join(' or ');
  if (node.type === 'array') return `list of ${plural(node.items)}`;
  if (node.type === 'object') {
    const values = node.additionalProperties;
    return values ? `map of ${plural(values)}` : 'object';
  }
  return WORDS[node.type] + limits(node);
}

function plural(node) {
  return PLURALS[node.type] ?? 'objects';
}

function limits({ minimum, maximum, exclusiveMinimum }) {
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  if (minimum === undefined) return '';
  return maximum === undefined ? `, ${minimum} or more` : ` from ${minimum} to ${maximum}`;
}

/** Columns as wide as their widest cell, so that the page reads well as plain text too. */
function table(heads, body) {
  const cells = body.map(row => row.map(cell => cell.replaceAll('|', '\\|')));
  const widths = heads.map((head, column) =>
    Math.max(...[head, ...cells.map(row => row[column])].map(cell => cell.length)),
  );
  const line = row => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(heads), line(widths.map(width => '-'.repeat(width))), ...cells.map(line)].join('\n');
}

/** As the formatter wants every file of this workspace. */
function formatted(file, input) {
  const biome = join(ROOT, 'node_modules', '.bin', 'biome');
  const options = { cwd: ROOT, input, encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(biome, ['format', `--stdin-file-path=${file}`], options);
  if (status !== 0) throw new Error(`biome could not format ${file}: ${stderr}`);
  return stdout;
}

// The types of a config as a program writes it, with the descriptions of the schema as comments: types that are inferred
// from the schema have none, and editors would show nothing. scripts/config-page.mjs writes the files; the compiler compares
// them with the inferred types in packages/core/src/config/schema/written-config.test.ts.
import { join } from 'node:path';

const FOLDER = join('packages', 'core', 'src', 'config', 'schema', 'written');
const HEADER =
  '// Written by scripts/config-page.mjs from the schema of the config: change the schema, then run it again.';
const LINE_WIDTH = 120;

/** TypeScript files by their paths in the workspace, from the JSON Schema of the config. */
export function configTypes({ properties, required, $defs: { stdio, remote } }) {
  const shared = Object.keys(stdio.properties).filter(key => isSame(stdio, remote, key));
  const { version: _version, servers: _servers, ...sections } = properties;
  const executor = properties.executors.additionalProperties;
  const profile = properties.model_profiles.additionalProperties;
  /** Objects that stand at several places, or in a file of their own. */
  const names = new Map([
    [shapeOf(executor), 'ExecutorInput'],
    [shapeOf(profile), 'ProfileInput'],
    [shapeOf(properties.search), 'SearchInput'],
    [shapeOf(properties.permissions), 'PermissionsInput'],
    [shapeOf(ruleForAgents(properties.permissions)), 'AgentsRuleInput'],
  ]);
  const declare = (name, purpose, node, parent) =>
    `${comment(purpose)}\nexport interface ${name}${parent ? ` extends ${parent}` : ''} ${members(node, names)}\n`;
  return inFolder({
    'servers.ts': [
      declare(
        'AnyServerInput',
        'Keys of every server, whatever its transport.',
        pick(stdio, key => shared.includes(key)),
      ),
      declare(
        'StdioServerInput',
        'A program that speaks MCP on its standard input and output.',
        pick(stdio, key => !shared.includes(key)),
        'AnyServerInput',
      ),
      declare(
        'RemoteServerInput',
        'A server at an address; with `command`, one whose program Junctor starts.',
        pick(remote, key => !shared.includes(key)),
        'AnyServerInput',
      ),
    ],
    'executors.ts': [declare('ExecutorInput', 'What one executor allows, and where it starts servers.', executor)],
    'profiles.ts': [declare('ProfileInput', 'What one model or client can read.', profile)],
    'settings.ts': [
      "import type { ExecutorInput } from './executors.ts';\nimport type { ProfileInput } from './profiles.ts';\n",
      declare('SettingsInput', 'Every section of a config but its servers.', { properties: sections, required }),
      declare('SearchInput', 'When tools are searched instead of listed.', properties.search),
      declare('PermissionsInput', 'Which tools may run.', properties.permissions),
      declare('AgentsRuleInput', 'A rule that concerns some agents only.', ruleForAgents(properties.permissions)),
    ],
  });
}

function inFolder(files) {
  return Object.fromEntries(
    Object.entries(files).map(([name, parts]) => [join(FOLDER, name), [HEADER, '', ...parts].join('\n')]),
  );
}

function ruleForAgents({ properties }) {
  return properties.allow.items.anyOf.find(node => node.properties);
}

function members({ properties, required = [] }, names) {
  const lines = Object.entries(properties).map(([key, node]) => {
    const type = typeOf(node, names);
    const member = required.includes(key) ? `${key}: ${type}` : `${key}?: ${type} | undefined`;
    return `${comment(node.description)}\nreadonly ${member};`;
  });
  return `{\n${lines.join('\n')}\n}`;
}

function typeOf(node, names) {
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum) return node.enum.map(word => JSON.stringify(word)).join(' | ');
  if (node.anyOf) return node.anyOf.map(one => typeOf(one, names)).join(' | ');
  if (node.type === 'array') return `readonly (${typeOf(node.items, names)})[]`;
  if (node.properties) return names.get(shapeOf(node)) ?? members(node, names);
  if (node.type === 'object') return `Readonly<Record<string, ${typeOf(node.additionalProperties, names)}>>`;
  return node.type === 'integer' ? 'number' : node.type;
}

/** The same for equal objects, whatever the key that holds them is for. */
function shapeOf({ properties, required }) {
  return JSON.stringify({ properties, required });
}

function isSame(one, other, key) {
  return JSON.stringify(one.properties[key]) === JSON.stringify(other.properties[key]);
}

function pick({ properties, required }, isWanted) {
  return { properties: Object.fromEntries(Object.entries(properties).filter(([key]) => isWanted(key))), required };
}

/** One line where it fits. Editors read comments as Markdown, which must take no `*`, `_` or `<` for its own. */
function comment(text) {
  const CODE = /\{ [^}]* \}|[^\s()]*[*<_$][^\s()]*(?:\([^\s()]*\))?/g;
  const words = text
    .replace(CODE, found => found.replace(/^(.*?)([,;:.]*)$/, (_whole, code, rest) => `\`${code}\`${rest}`))
    .replaceAll('*/', '*\\/');
  if (words.length < LINE_WIDTH - 20) return `/** ${words} */`;
  const lines = [''];
  for (const word of words.split(' ')) {
    if (lines.at(-1).length + word.length > LINE_WIDTH - 20) lines.push('');
    lines.push(`${lines.pop()} ${word}`);
  }
  return ['/**', ...lines.map(line => ` *${line}`), ' */'].join('\n');
}

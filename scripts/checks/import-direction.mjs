// Who may know whom. A room may import rooms to its left, and itself; never to its right.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** The one array. What stands in one group may not know each other. */
export const ORDER = [
  ['core/base'],
  ['core/config'],
  ['core/resolve'],
  ['core/catalogue'],
  ['core/permissions'],
  ['core/results'],
  ['core/connections'],
  ['core/calls'],
  ['core/host'],
  ['core/diagnostics/doctor', 'core/diagnostics/explain', 'core/diagnostics/recording'],
  ['adapters'],
  ['chat', 'hub', 'testkit'],
  ['cli', 'web'],
];

/**
 * The rooms inside the larger packages, lowest first. Only what runs counts here: a type may name what stands above it, since
 * nothing of it is left when the code is loaded. Files at the top of a package stand outside: they put the rooms together.
 */
const INSIDE = {
  hub: [
    ...['store', 'traces', 'calls', 'agents', 'replicas', 'visit', 'relay', 'approvals', 'results', 'security'],
    ...['endpoint', 'rest', 'metrics', 'front'],
  ],
  cli: ['output', 'hub', 'config-files', 'commands'],
  chat: ['loop', 'models', 'native', 'show', 'slash', 'repl', 'agent-server'],
  adapters: ['result', 'toolbox', 'openai', 'anthropic', 'gemini', 'ai-sdk'],
  web: ['api', 'parts', 'pages', 'shell'],
};

/** The front pages of a package: they gather what is offered and hold nothing themselves. */
const FRONT_PAGES = new Set(
  ['index', 'seldom', 'pure', 'light', 'config-read', 'config-write', 'known', 'internal'].map(name => `${name}.ts`),
);

/** Every import that points the wrong way, as a sentence. */
export function wrongImports(root) {
  const wrong = [];
  const packages = join(root, 'packages');
  for (const entry of readdirSync(packages, { recursive: true })) {
    const path = String(entry).split(sep).join('/');
    if (!/^[^/]+\/src\/.*\.tsx?$/.test(path) || /\.test\.tsx?$/.test(path)) continue;
    const from = roomOf(path);
    if (from === undefined) continue;
    const text = readFileSync(join(packages, path), 'utf8');
    for (const [statement, target] of text.matchAll(/(?:(?:import|export) [^'";]*from|import\()\s*'([^']+)'/g)) {
      const file = target.startsWith('.') ? relativeTo(path, target) : undefined;
      const to = file === undefined ? packageRoom(target) : roomOf(file);
      const isWrong = to !== undefined && to !== from && rank(to) >= rank(from);
      if (isWrong || (file !== undefined && !/^\w+ type /.test(statement) && isAbove(file, path)))
        wrong.push(`packages/${path} imports ${target}, which it may not know`);
    }
  }
  return wrong;
}

/** `core/src/connections/open.ts` → `core/connections`; at the top of core only front pages may stand. */
function roomOf(path) {
  const [name, , ...inside] = path.split('/');
  if (name !== 'core') return name;
  if (inside.length === 1) return FRONT_PAGES.has(inside[0]) ? undefined : `core/${inside[0]}`;
  // What looks at a host stands side by side: doctor, explain and recording may not know each other.
  return inside[0] === 'diagnostics' ? `core/diagnostics/${inside[1]}` : `core/${inside[0]}`;
}

/** Whether a file stands in a higher room of the same package. */
function isAbove(file, path) {
  const [to, from] = [file, path].map(insideRank);
  return to !== undefined && from !== undefined && to > from;
}

/** Undefined outside of the rooms that are put in order. */
function insideRank(path) {
  const [name, , room, ...file] = path.split('/');
  const rooms = INSIDE[name];
  if (rooms === undefined || file.length === 0) return undefined;
  const at = rooms.indexOf(room);
  if (at < 0) throw new Error(`packages/${name}/src/${room} has no place in the order: ${ADD_IT}`);
  return at;
}

function packageRoom(target) {
  if (target === 'junctor') return 'cli';
  const name = /^@junctor\/([^/]+)/.exec(target)?.[1];
  return name === 'core' ? 'core/host' : name;
}

function relativeTo(path, target) {
  return relative('.', join(dirname(path), target))
    .split(sep)
    .join('/');
}

function rank(room) {
  const at = ORDER.findIndex(group => group.includes(room));
  if (at < 0) throw new Error(`the room '${room}' has no place in the order: ${ADD_IT}`);
  return at;
}

const ADD_IT = 'add it to scripts/checks/import-direction.mjs';

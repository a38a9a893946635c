// Who may know whom. A room may import rooms to its left, and itself; never to its right.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** The one array. What stands in one group may not know each other. */
export const ORDER = [
  ['core/base'],
  ['core/config'],
  ['core/resolve'],
  ['core/catalogue'],
  ['core/gate'],
  ['core/result'],
  ['core/link'],
  ['core/call'],
  ['core/host'],
  ['core/doctor', 'core/explain'],
  ['adapters'],
  ['chat', 'hub', 'testkit'],
  ['cli', 'web'],
];

/** The front pages of a package: they gather what is offered and hold nothing themselves. */
const FRONT_PAGES = new Set(
  ['index', 'seldom', 'pure', 'light', 'config-read', 'config-write', 'known', 'inside'].map(name => `${name}.ts`),
);

/** Every import that points the wrong way, as a sentence. */
export function wrongImports(root) {
  const wrong = [];
  const packages = join(root, 'packages');
  for (const entry of readdirSync(packages, { recursive: true })) {
    const path = String(entry).split(sep).join('/');
    if (!/^[^/]+\/src\/.*\.ts$/.test(path) || path.endsWith('.test.ts')) continue;
    const from = roomOf(path);
    if (from === undefined) continue;
    const text = readFileSync(join(packages, path), 'utf8');
    for (const [, target] of text.matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
      const to = target.startsWith('.') ? roomOf(relativeTo(path, target)) : packageRoom(target);
      if (to !== undefined && to !== from && rank(to) >= rank(from))
        wrong.push(`packages/${path} (${from}) imports ${target} (${to})`);
    }
  }
  return wrong;
}

/** `core/src/link/open.ts` → `core/link`; files at the top of core belong to `core/host`. */
function roomOf(path) {
  const [name, , ...inside] = path.split('/');
  if (name !== 'core') return name;
  if (inside.length === 1)
    return FRONT_PAGES.has(inside[0]) ? undefined : inside[0] === 'version.ts' ? 'core/base' : 'core/host';
  return `core/${inside[0]}`;
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
  if (at < 0)
    throw new Error(`the room '${room}' has no place in the order: add it to scripts/checks/import-direction.mjs`);
  return at;
}

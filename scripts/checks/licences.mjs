// The packages of the lockfile, and the licences that we may use and pass on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ALLOWED = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'Zlib',
  'CC0-1.0',
]);

/** For tools that we run and never pass on. */
const ALLOWED_FOR_TOOLS = new Set([...ALLOWED, 'MPL-2.0']);

/** Tools whose field leads to a file: that of their project names MIT, and Apache-2.0 for newer parts. */
const READ_BY_HAND = /^@modelcontextprotocol\/(inspector|server-everything|server-filesystem|server-memory)$/;

/** Every package that is installed, as the lockfile has it. */
export function lockedPackages(root, text = readFileSync(join(root, 'package-lock.json'), 'utf8')) {
  return Object.entries(JSON.parse(text).packages).flatMap(([path, entry]) => {
    const at = path.lastIndexOf('node_modules/');
    if (at < 0 || entry.link) return [];
    const { version, license, integrity, dev = false, optional = false } = entry;
    const name = entry.name ?? path.slice(at + 'node_modules/'.length);
    return { path, name, version, licence: license, integrity, isTool: dev, optional };
  });
}

/** A sentence for each package whose licence is not on the list. */
export function wrongLicences(root, text) {
  return lockedPackages(root, text)
    .filter(({ name, licence, isTool }) => !(isAllowed(licence, isTool) || (isTool && READ_BY_HAND.test(name))))
    .map(({ name, version, licence = 'none' }) => `${name} ${version}: licence ${licence} is not on the list`);
}

/** `(MIT OR GPL-3.0)` lets us choose; `(MIT AND Zlib)` asks for both. */
function isAllowed(licence, isTool) {
  if (typeof licence !== 'string') return false;
  const list = isTool ? ALLOWED_FOR_TOOLS : ALLOWED;
  return licence
    .replace(/^\(|\)$/g, '')
    .split(/ OR /)
    .some(choice => choice.split(/ AND /).every(one => list.has(one)));
}

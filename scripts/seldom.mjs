// What few starts need, in a file of its own that is loaded with the first call of any of its functions. V8 reads every
// function of a file before the first one runs, so each start would pay for all of them. Loading happens at once, by
// `require`: callers need not be asynchronous for it, and need not know of it.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const STAND_IN = '\0stand-in:';
/** The file that holds them all, and what asks for it. */
export const SELDOM = '\0seldom';
const DOOR = '\0seldom-door';

/** `files` export functions and nothing else: only calls can be passed on. `at` is where the built file lies for its callers. */
export function seldomLoaded({ files, at }) {
  const real = new Set([...files, SELDOM]);
  return {
    name: 'seldom',
    resolveId(source, importer) {
      if (source === SELDOM || source === DOOR) return { id: source };
      if (!source.startsWith('.') || !importer || real.has(importer)) return undefined;
      const file = resolve(dirname(importer), source);
      return real.has(file) ? { id: STAND_IN + file } : undefined;
    },
    load(id) {
      if (id === DOOR) return doorCode(at);
      if (id === SELDOM) return files.map(file => entryCode(file, files.indexOf(file))).join('\n');
      if (!id.startsWith(STAND_IN)) return undefined;
      const file = id.slice(STAND_IN.length);
      return standInCode(file, files.indexOf(file));
    },
  };
}

function doorCode(at) {
  return `let room;
export const seldom = () => (room ??= process.getBuiltinModule('node:module').createRequire(import.meta.url)('${at}'));`;
}

function standInCode(file, number) {
  const functions = functionsOf(file).map(
    name => `export function ${name}(...given) { return seldom().${name}_${number}(...given); }`,
  );
  return [`import { seldom } from '${DOOR}';`, ...functions].join('\n');
}

function entryCode(file, number) {
  const names = functionsOf(file).map(name => `${name} as ${name}_${number}`);
  return `export { ${names.join(', ')} } from '${file}';`;
}

function functionsOf(file) {
  const text = readFileSync(file, 'utf8');
  const exported = [...text.matchAll(/^export (?!type |interface )(?:async )?(\w+)\*? (\w+)/gm)];
  const other = exported.find(([, kind]) => kind !== 'function');
  if (other)
    throw new Error(`${file} exports ${other[2]}, which is no function: it cannot be loaded with a first call`);
  return exported.map(([, , name]) => name);
}

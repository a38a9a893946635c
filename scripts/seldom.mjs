// What few starts need, in a file of its own that is loaded with the first call of any of its functions. V8 reads every
// function of a file before the first one runs, so each start would pay for all of them. Loading happens at once, by
// `require`: callers need not be asynchronous for it, and need not know of it.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const STAND_IN = '\0stand-in:';
/** The file that holds them all, and what asks for it. */
export const SELDOM = '\0seldom';
const DOOR = '\0seldom-door';
/** A CommonJS file beside the chunks: see `loaderCode`. */
const LOADER = './on-first-call.cjs';

/** The loader runs before all else of the library: on an old Node a program ends with this sentence. */
const VERSION_CHECK = `const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  const sentence = 'Junctor needs Node.js 24 or newer; this is ' + process.version + '.';
  throw Object.assign(new Error(sentence), { code: 'node_too_old' });
}
`;

/**
 * What loads files with a first call: CommonJS, because every bundler and every file tracer follows a literal `require`
 * there, and Node loads it for a third of a millisecond. `createRequire` in an ES module is invisible to most of them: they
 * built programs that failed at the first call.
 */
export function loaderCode(files) {
  const loads = Object.entries(files).map(([name, at]) => `exports.${name} = () => require('${at}');\n`);
  return `'use strict';\n${VERSION_CHECK}${loads.join('')}`;
}

/** Imports of the loader stay imports of the file that lies beside the chunks. A bundle that never calls it needs no such file. */
export function leaveLoader() {
  return {
    name: 'loader',
    resolveId: source => (source === LOADER ? { id: LOADER, external: true, moduleSideEffects: false } : undefined),
  };
}

/** In the place of a module: its functions load it with their first call. Without a `name` a bundle does without the module. */
export function onFirstCall({ importer, source, name, functions }) {
  const id = `\0on-first-call:${name}`;
  return {
    name: 'on-first-call',
    resolveId: (asked, from) => (from === importer && asked === source ? { id } : undefined),
    load: asked => (asked === id ? code() : undefined),
  };

  function code() {
    if (!name)
      return functions.map(its => `export function ${its}() { throw new Error('not in this bundle'); }`).join('\n');
    const calls = functions.map(its => `export function ${its}(...given) { return lazy.${name}().${its}(...given); }`);
    return [`import lazy from '${LOADER}';`, ...calls].join('\n');
  }
}

/** `files` export functions and nothing else: only calls can be passed on. */
export function seldomLoaded({ files }) {
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
      if (id === DOOR) return doorCode();
      if (id === SELDOM) return files.map(file => entryCode(file, files.indexOf(file))).join('\n');
      if (!id.startsWith(STAND_IN)) return undefined;
      const file = id.slice(STAND_IN.length);
      return standInCode(file, files.indexOf(file));
    },
  };
}

function doorCode() {
  return `import lazy from '${LOADER}';
let room;
export const seldom = () => (room ??= lazy.seldom());`;
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

// Puts sources into few files. Node takes longer to find and open forty small files than to read them, so everything that
// a start needs anyway is one file, and what is needed only sometimes (a command, a transport, a notation) is loaded then.
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { withoutFaces } from './builtin-faces.mjs';
import { leaveLoader, onFirstCall, seldomLoaded } from './seldom.mjs';
import { ROOT } from './setup.mjs';

/** A native addon, looked for at run time and done without where it is missing; and CommonJS that a bundle cannot hold. */
const LEFT_OUT = ['@napi-rs/keyring', '@silvia-odwyer/photon-node', 'ws', 'pg'];

/**
 * Node prints the line that threw and who called whom: names of functions and lines stay, and maps lead to the sources, which
 * are in the package. Local names go: they are a third of what V8 has to read.
 */
const READABLE = {
  minify: { mangle: { toplevel: false }, compress: true, codegen: { removeWhitespace: false } },
  comments: { jsdoc: false },
  sourcemap: true,
  sourcemapExcludeSources: true,
};

/** The folder of data files, as sources name it. */
const DATA = '../../../data/';

/**
 * `together` names files, or lists of them: each becomes one chunk with all that it imports, save what is in a chunk named
 * before it.
 * Dynamic imports stay apart. `inPlaceOf` names files that are taken for modules of other names, `onDemand` one
 * that a single file loads with its first call, `data` says where the data files lie for a chunk,
 * `readable` that programs of others print its stack traces. Gives the modules that it holds.
 */
export async function bundle(options) {
  const {
    entries,
    folder,
    together = {},
    apart,
    inPlaceOf = {},
    onDemand,
    seldom,
    data = () => DATA,
    readable = false,
    chunks = '[name]-[hash].js',
  } = options;
  const closures = new Map();
  const build = await rolldown({
    input: entries,
    platform: 'node',
    external: name => (name.startsWith('node:') && !(name in inPlaceOf)) || LEFT_OUT.includes(name),
    resolve: {
      conditionNames: ['junctor-source', 'import', 'module', 'node', 'default'],
      // ES modules where a package has both: they are smaller.
      mainFields: ['module', 'main'],
      // Its entry for Node is CommonJS; the other one is the same code as ES modules.
      alias: { yaml: join(ROOT, 'node_modules', 'yaml', 'browser', 'index.js'), ...inPlaceOf },
    },
    checks: { ineffectiveDynamicImport: false },
    // Syntax that an old Node can read, so that it gets to the sentence that says which Node is needed.
    transform: { target: 'es2022' },
    plugins: [
      ...(apart ? [leaveApart(apart)] : []),
      ...(onDemand ? [onFirstCall(onDemand)] : []),
      leaveLoader(),
      ...(seldom ? [seldomLoaded(seldom)] : []),
      withoutFaces(),
      placeData(data),
      {
        name: 'together',
        buildEnd() {
          for (const [name, files] of Object.entries(together)) closures.set(name, closureOf([files].flat(), this));
        },
      },
    ],
  });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    ...(readable ? READABLE : { minify: true }),
    entryFileNames: '[name].js',
    chunkFileNames: chunks,
    codeSplitting: {
      groups: Object.keys(together).map((name, place) => ({
        name,
        test: id => closures.get(name).has(id),
        priority: Object.keys(together).length - place,
      })),
    },
  });
  await build.close();
  return output.flatMap(({ moduleIds = [] }) => moduleIds);
}

/** Files and all that they import before their first lines run. */
function closureOf(files, graph) {
  const found = new Set();
  const waiting = [...files];
  for (const id of waiting) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/** A data file lies elsewhere for a built chunk than for its source. */
function placeData(data) {
  return {
    name: 'data',
    renderChunk: (code, { fileName }) => ({
      code: code.replaceAll(/(new URL\(["'`])(?:\.\.\/)+data\//g, `$1${data(fileName)}`),
      map: null,
    }),
  };
}

/** Imports of this file stay imports, of the file that is built from it elsewhere. */
function leaveApart({ file, as }) {
  return {
    name: 'apart',
    resolveId: source => (source.endsWith(file) ? { id: as, external: true } : undefined),
  };
}

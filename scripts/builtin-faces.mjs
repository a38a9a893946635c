// Built-in modules without their ESM face. An `import` of one reads every export of it once, also those that load further
// modules (`node:fs` loads a line editor, `node:http` undici), and each is a step of its own for the loader. What is bundled
// asks `process.getBuiltinModule` instead: see docs/decisions/0013-node-http.md.

/** Names of a built-in module, as the bundler writes them: nothing else of this form stands at the head of a chunk. */
const IMPORT = /^import (?:(\w+)(?:, )?)?(?:\* as (\w+)|\{([^}]*)\})? from "(node:[\w/]+)";\n/;

export function withoutFaces() {
  return {
    name: 'without-faces',
    renderChunk(code) {
      const [, head] = /^((?:import [^;]+;\n)*)/.exec(code);
      const lines = head.split(/(?<=;\n)/).map(line => line.replace(IMPORT, asConstant));
      // Lines stay lines: `map: null` says that the source map still holds.
      return { code: lines.join('') + code.slice(head.length), map: null };
    },
  };
}

/** Loads a line editor and more, for functions that are seldom the first that a program needs: each finds it when called. */
const ON_CALL = 'node:fs/promises';

function asConstant(_, whole, namespace, names, module) {
  if (module === ON_CALL && names && !whole) return `${names.split(',').map(onCall).join(' ')}\n`;
  const bound = [whole, namespace, names && `{${names.replaceAll(' as ', ': ')}}`].filter(Boolean);
  return `${bound.map(name => `const ${name} = process.getBuiltinModule("${module}");`).join(' ')}\n`;
}

function onCall(name) {
  const [its, bound = its] = name.trim().split(' as ');
  return `const ${bound} = (...given) => process.getBuiltinModule("${ON_CALL}").${its}(...given);`;
}

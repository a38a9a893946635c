/**
 * What the built library has in the place of `config/parse.ts`. Parsing at once needs the schema and every dialect at hand,
 * and few programs do it: they are loaded with the first call, which must not wait, rather than with each start.
 */
type Parse = typeof import('./config/parse.ts');

export const parseMcpConfig: Parse['parseMcpConfig'] = input => {
  const { createRequire } = process.getBuiltinModule('node:module');
  const { parseMcpConfig: parse } = createRequire(import.meta.url)('./parse.js') as Parse;
  return parse(input);
};

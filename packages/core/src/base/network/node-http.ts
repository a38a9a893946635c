/**
 * Node's HTTP without its ESM face. An `import` of `node:http` reads every export of it, and some of them load undici: 13 MB and
 * more time than all the rest of a start. See docs/decisions/0013-node-http.md.
 */
export const http = process.getBuiltinModule('node:http');

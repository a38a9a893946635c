/**
 * The library as a bundler takes it: `parseMcpConfig` finds what it needs in the bundle, and not in a file beside it. Node
 * takes `index.ts`, whose start is lighter.
 */

export { parseMcpConfig } from './config/parse.ts';
export * from './index.ts';

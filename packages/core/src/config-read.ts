/** Reading and explaining what is written, for Junctor's own commands: no connection, no lock, no key is needed for it. */

export { explainServer, type ServerExplanation } from './config/explain.ts';
export type { Place } from './config/formats/document.ts';
export { isEnabled, LAYER_NAMES, type Layer, type LayerName, type LoadedServer } from './config/layers.ts';
export {
  invalidServers,
  type LoadMcpConfigOptions,
  loadMcpConfig,
  type McpConfigLoadResult,
  readText,
} from './config/load.ts';
export { maskDefinition, maskTexts, shownDefinition } from './config/masking/masking.ts';
export { describeProblem, type Problem } from './config/problem.ts';
export { readConfig } from './config/reading/read.ts';
export type { McpServerDef } from './config/schema/server-schema.ts';
export { SERVER_ID, TRANSPORTS } from './config/schema/server-words.ts';
export { consentTo } from './config/trust/consent.ts';
export { invalidServer } from './resolve/availability.ts';
export { describePlace, whyNoPlace } from './resolve/no-place.ts';
export { whyPlaceWaits } from './resolve/place-waits.ts';
export { EXECUTORS, policyFor } from './resolve/policy.ts';
export { type Resolution, resolve } from './resolve/resolve.ts';
export { describeSite, siteOf } from './resolve/site.ts';
export { rewriteUrl } from './resolve/url-rewrite.ts';

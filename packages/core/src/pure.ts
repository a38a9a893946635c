/** @junctor/core/pure: what decides without touching files, processes or the network. */
export { isJunctorError, JunctorError } from './base/error.ts';
export { unifiedDiff } from './base/text/unified-diff.ts';
export { escapeUnseen } from './base/text/unseen.ts';
export { publicNames } from './catalogue/naming/public-names.ts';
export type { NamingStrategy } from './catalogue/naming/strategy.ts';
export { type Audience, audienceOf, type Readers } from './catalogue/profiles/audience.ts';
export { type FittedSchema, fitSchema } from './catalogue/schema-fit/fit-schema.ts';
export { lintSchema } from './catalogue/schema-fit/judges/judge.ts';
export { type FoundTool, type SearchableTool, ToolIndex } from './catalogue/search/tool-index.ts';
export { type Snapshot, takeSnapshot } from './catalogue/snapshot.ts';
export { cleanContent, cleanStructured } from './catalogue/untrusted/clean-content.ts';
export { cleanText } from './catalogue/untrusted/clean-text.ts';
export { type View, viewOf } from './catalogue/view.ts';
export { parseMcpConfig } from './config/parse.ts';
export { Gate, type GateFacts, type Verdict } from './permissions/verdict.ts';
export { type Resolution, type ResolveInput, resolve } from './resolve/resolve.ts';
export type { ResolvedServer, Roster } from './resolve/roster.ts';
export { rewriteUrl } from './resolve/url-rewrite.ts';

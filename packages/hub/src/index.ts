export { AGENT_ID } from './agents/agent-config.ts';
export { AGENT_IDS } from './agents/agent-ids.ts';
export { serverFingerprint } from './front/fingerprint.ts';
export type { PipeAnswer, PipeGreeting, PipeQuestion } from './front/pipe-words.ts';
export { type Hub, type HubOptions, startHub } from './hub.ts';
export { findHub } from './store/hub-file.ts';
export type { HubFile } from './store/read-hub-file.ts';
export { type Bearer, METRICS, TokenBook, tokenDigest } from './store/token-book.ts';
export { otlpSettings } from './traces/otlp-settings.ts';

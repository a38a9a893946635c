/** Seeded, structure-aware fuzzing of what servers and clients of a hub send. */
export { type FuzzCase, type FuzzEra, fuzzCase, markedCase, UPSTREAMS, type Upstream } from './case.ts';
export { fuzzedReplies, fuzzedRequest, inputResponses, MODERN_META } from './fuzzed-requests.ts';

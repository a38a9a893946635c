/** @junctor/chat: an agent to talk to. */

export { type AgentOffer, agentOffer } from './agent-server/agent-offer.ts';
export { type CallContext, InvalidArguments } from './agent-server/serving.ts';
export type { ChatEvent, Reply } from './chat-event.ts';
export { type OneShot, type OneShotEvent, oneShot } from './one-shot.ts';
export { type AgentOptions, type OpenAgent, openAgent } from './open-agent.ts';
export { History } from './repl/history.ts';
export { type ReplOptions, repl } from './repl/repl.ts';
export type { SavedSession } from './sessions.ts';

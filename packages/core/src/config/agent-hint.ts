import { nearest } from '../base/nearest.ts';
import { agentId } from './agent-id.ts';

/** What to tell whoever named an agent that is none: the one that is probably meant, such as `claude-code` by `claude`. */
export function agentHint(word: string, agents: readonly string[]): string {
  const meant = agents.find(name => name.startsWith(`${agentId(word)}-`)) ?? nearest(word, agents);
  return meant === undefined ? `an agent is one of: ${agents.join(', ')}` : `did you mean ${meant}?`;
}

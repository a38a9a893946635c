import { nearest } from '../base/text/nearest.ts';
import { agentId } from './agent-id.ts';

/** The agent that is probably meant, such as `claude-code` by `claude` or `claudecode`. */
export function agentMeant(word: string, agents: readonly string[]): string | undefined {
  const id = agentId(word);
  const isSame = (name: string): boolean => name.replaceAll('-', '') === id.replaceAll('-', '');
  return agents.find(isSame) ?? agents.find(name => name.startsWith(`${id}-`)) ?? nearest(word, agents);
}

/** What to tell whoever named an agent that is none. */
export function agentHint(word: string, agents: readonly string[]): string {
  const meant = agentMeant(word, agents);
  return meant === undefined ? `an agent is one of: ${agents.join(', ')}` : `did you mean ${meant}?`;
}

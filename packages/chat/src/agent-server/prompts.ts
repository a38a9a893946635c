/** Errands that a client can offer its person. */
import type { AgentPrompt } from './serving.ts';

const say = (text: string): object => ({ role: 'user', content: { type: 'text', text } });

export const AGENT_PROMPTS: readonly AgentPrompt[] = [
  {
    definition: {
      name: 'ask-junctor',
      description: 'Hands a task to the Junctor agent.',
      arguments: [{ name: 'task', description: 'What it is to do', required: true }],
    },
    messages: ({ task = '' }) => [say(`Use the tool junctor for this, and tell me what it answers: ${task}`)],
  },
  {
    definition: { name: 'review-changes', description: 'Lets the Junctor agent review what changed in its folder.' },
    messages: () => [say('Use the tool junctor to review the uncommitted changes in its working directory.')],
  },
];

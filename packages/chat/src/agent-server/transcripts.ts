/** Conversations as texts that a client can read. */
import type { ModelMessage } from 'ai';
import type { SavedSession, Sessions } from '../sessions.ts';
import type { Transcript } from './serving.ts';

export function transcriptOf({ id, title }: Pick<SavedSession, 'id' | 'title'>, sessions: Sessions): Transcript {
  return {
    definition: {
      uri: `junctor://sessions/${id}`,
      name: title || id,
      description: 'What was said in this conversation.',
      mimeType: 'text/plain',
    },
    read: async () => ({ text: textOf((await sessions.read(id)).messages) }),
  };
}

function textOf(messages: readonly ModelMessage[]): string {
  return messages.flatMap(({ role, content }) => partsOf(content).map(part => `${role}: ${part}`)).join('\n\n');
}

function partsOf(content: ModelMessage['content']): string[] {
  if (typeof content === 'string') return [content];
  return content.flatMap(part => {
    if (part.type === 'text') return [part.text];
    if (part.type === 'tool-call') return [`[calls ${part.toolName} ${JSON.stringify(part.input)}]`];
    return part.type === 'tool-result' ? [`[${part.toolName} answered ${JSON.stringify(part.output)}]`] : [];
  });
}

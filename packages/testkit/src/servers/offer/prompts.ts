/** The prompts people find. */
import { form } from '../protocol/question.ts';
import type { RequestContext } from '../protocol/request-context.ts';
import { record } from '../rpc.ts';

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
}

export interface TestPrompt {
  readonly definition: {
    readonly name: string;
    readonly description: string;
    readonly arguments?: readonly PromptArgument[];
  };
  messages(
    args: Readonly<Record<string, string>>,
    context: RequestContext,
  ): readonly object[] | Promise<readonly object[]>;
  /** What a person may mean by the beginning of an argument. */
  readonly suggestions?: Readonly<Record<string, readonly string[]>>;
}

export function say(text: string): object {
  return { role: 'user', content: { type: 'text', text } };
}

/** A prompt without arguments. */
export function plainPrompt(name: string, description: string, text: string): TestPrompt {
  return { definition: { name, description }, messages: () => [say(text)] };
}

const greet: TestPrompt = {
  definition: {
    name: 'greet',
    description: 'Asks the model to greet somebody.',
    arguments: [
      { name: 'name', description: 'Whom to greet', required: true },
      { name: 'tone', description: 'How to sound: friendly, formal or terse' },
    ],
  },
  messages: ({ name, tone = 'friendly' }) => [say(`Greet ${name} in a ${tone} way.`)],
  suggestions: { name: ['Ada', 'Alan', 'Barbara', 'Grace', 'Katherine'], tone: ['formal', 'friendly', 'terse'] },
};

const summariseNote: TestPrompt = {
  definition: { name: 'summarise_note', description: 'Hands the model the note of this server, to sum up.' },
  async messages(_args, context) {
    const uri = 'demo://note';
    const content = await context.shared.resources.find(uri)?.read(context);
    return [
      { role: 'user', content: { type: 'resource', resource: { uri, mimeType: 'text/plain', ...content } } },
      say('Sum up the note above in one sentence.'),
    ];
  },
};

const introduce: TestPrompt = {
  definition: { name: 'introduce', description: 'Asks a person for their name first, then for an introduction.' },
  async messages(_args, { ask }) {
    const { name } = await ask({ name: form('What is your name?', { name: { type: 'string' } }, ['name']) });
    return [say(`Introduce yourself to ${record(name?.content).name ?? 'somebody who keeps their name'}.`)];
  },
};

export const demoPrompts: readonly TestPrompt[] = [greet, summariseNote, introduce];

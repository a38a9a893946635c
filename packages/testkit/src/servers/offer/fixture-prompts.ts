/** The prompts that the conformance suite gets, with the messages it expects. */
import { form } from '../protocol/question.ts';
import { record } from '../rpc.ts';
import { PNG } from './media.ts';
import { plainPrompt, say, type TestPrompt } from './prompts.ts';

const withArguments: TestPrompt = {
  definition: {
    name: 'test_prompt_with_arguments',
    description: 'Repeats its two arguments.',
    arguments: [
      { name: 'arg1', description: 'First test argument', required: true },
      { name: 'arg2', description: 'Second test argument', required: true },
    ],
  },
  messages: ({ arg1, arg2 }) => [say(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  suggestions: { arg1: ['paris', 'park', 'party'], arg2: [] },
};

const withResource: TestPrompt = {
  definition: {
    name: 'test_prompt_with_embedded_resource',
    description: 'Holds a resource.',
    arguments: [{ name: 'resourceUri', description: 'URI of the resource to embed', required: true }],
  },
  messages: ({ resourceUri }) => [
    {
      role: 'user',
      content: {
        type: 'resource',
        resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      },
    },
    say('Please process the embedded resource above.'),
  ],
};

const withImage: TestPrompt = {
  definition: { name: 'test_prompt_with_image', description: 'Holds a picture.' },
  messages: () => [
    { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
    say('Please analyze the image above.'),
  ],
};

const asking: TestPrompt = {
  definition: { name: 'test_input_required_result_prompt', description: 'Asks a person before it has its messages.' },
  async messages(_args, { ask }) {
    const question = form('What context should the prompt use?', { context: { type: 'string' } }, ['context']);
    const { user_context: answer } = await ask({ user_context: question });
    return [say(`Use this context: ${record(answer?.content).context ?? 'none'}`)];
  },
};

export const fixturePrompts: readonly TestPrompt[] = [
  plainPrompt('test_simple_prompt', 'A prompt without arguments.', 'This is a simple prompt for testing.'),
  withArguments,
  withResource,
  withImage,
  asking,
];

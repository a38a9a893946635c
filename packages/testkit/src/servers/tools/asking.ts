/** Tools that need something of the client: a person, a page, a model, its folders. */
import { form, page, prompt, roots } from '../protocol/question.ts';
import { type Params, record } from '../rpc.ts';
import { object, type TestTool, text } from './tool.ts';

const askPerson: TestTool = {
  definition: {
    name: 'ask_person',
    description: 'Asks a person to fill in a form, and returns what they said.',
    inputSchema: object({ question: { type: 'string', description: 'What to ask; without it, for a name' } }),
  },
  async run(args, { ask }) {
    const question = form(
      String(args.question ?? 'What is your name, and which colour do you like?'),
      {
        name: { type: 'string', title: 'Your name', minLength: 1 },
        colour: { type: 'string', title: 'A colour', enum: ['red', 'green', 'blue'], default: 'green' },
      },
      ['name'],
    );
    const { person } = await ask({ person: question });
    return whatTheyDid(person);
  },
};

const askUrl: TestTool = {
  definition: {
    name: 'ask_url',
    description: 'Asks a person to open a page, and returns whether they agreed.',
    inputSchema: object({ url: { type: 'string', description: 'The page; without it, one of example.com' } }),
  },
  async run(args, { ask }) {
    const url = String(args.url ?? 'https://example.com/junctor-test-server');
    const { person } = await ask({ person: page('Please open this page and come back.', url) });
    return whatTheyDid(person);
  },
};

function whatTheyDid(answer: Params | undefined): object {
  const { action, content } = record(answer);
  const structuredContent = { action, ...(content === undefined ? {} : { content }) };
  return { ...text(JSON.stringify(structuredContent)), structuredContent };
}

const askModel: TestTool = {
  definition: {
    name: 'ask_model',
    description: 'Asks the model of the client, and returns what it answered.',
    inputSchema: object({ prompt: { type: 'string', description: 'What to ask; without it, for a greeting' } }),
  },
  async run(args, { ask }) {
    const { model } = await ask({ model: prompt(String(args.prompt ?? 'Say hello in three words.'), 100) });
    return text(textOf(model));
  },
};

/** The text of what a model said, which may be one piece or several. */
export function textOf(answer: Params | undefined): string {
  const pieces = [record(answer).content].flat();
  return pieces.map(piece => String(record(piece).text ?? '')).join('');
}

const showRoots: TestTool = {
  definition: {
    name: 'show_roots',
    description: 'Lists the folders that the client lets this server see.',
    inputSchema: object({}),
  },
  async run(_args, { ask }) {
    const { roots: answer } = await ask({ roots });
    return text(rootUris(answer).join('\n'));
  },
};

export function rootUris(answer: Params | undefined): string[] {
  const list = record(answer).roots;
  return Array.isArray(list) ? list.map(root => String(record(root).uri)) : [];
}

export const askingTools: readonly TestTool[] = [askPerson, askUrl, askModel, showRoots];

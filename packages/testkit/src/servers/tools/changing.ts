/** Tools that change what the server offers; everybody who listens is told. */
import { plainPrompt } from '../offer/prompts.ts';
import { note } from '../offer/resources.ts';
import { failure, object, type TestTool, text } from './tool.ts';

const nameOnly = (description: string): object => object({ name: { type: 'string', description } }, ['name']);

const addTool: TestTool = {
  definition: {
    name: 'add_tool',
    description: 'Adds a tool to the list of this server, and announces it.',
    inputSchema: nameOnly('What to call the new tool; it returns its arguments'),
  },
  run({ name }, { shared }) {
    shared.tools.add({
      definition: {
        name: String(name),
        description: 'Added by add_tool: returns its arguments.',
        inputSchema: { type: 'object' },
      },
      run: args => text(JSON.stringify(args)),
    });
    return text(`added the tool ${name}`);
  },
};

const removeTool: TestTool = {
  definition: {
    name: 'remove_tool',
    description: 'Takes a tool from the list of this server, and announces it.',
    inputSchema: nameOnly('Which tool'),
  },
  run: ({ name }, { shared }) =>
    shared.tools.remove(String(name)) ? text(`removed the tool ${name}`) : failure(`there is no tool ${name}`),
};

const addPrompt: TestTool = {
  definition: {
    name: 'add_prompt',
    description: 'Adds a prompt to the list of this server, and announces it.',
    inputSchema: nameOnly('What to call the new prompt'),
  },
  run({ name }, { shared }) {
    shared.prompts.add(plainPrompt(String(name), 'Added by add_prompt.', `This is the prompt ${name}.`));
    return text(`added the prompt ${name}`);
  },
};

const addResource: TestTool = {
  definition: {
    name: 'add_resource',
    description: 'Adds a resource to the list of this server, and announces it.',
    inputSchema: object({ uri: { type: 'string', description: 'Its address, such as demo://mine' } }, ['uri']),
  },
  run({ uri }, { shared }) {
    shared.resources.add(note(String(uri), 'Added by add_resource.'));
    return text(`added the resource ${uri}`);
  },
};

const updateResource: TestTool = {
  definition: {
    name: 'update_resource',
    description: 'Writes into a note, and tells those who subscribed to it.',
    inputSchema: object({
      uri: { type: 'string', description: 'Which note; without it, demo://note' },
      text: { type: 'string', description: 'What to write' },
    }),
  },
  run(args, { shared }) {
    const uri = String(args.uri ?? 'demo://note');
    const resource = shared.resources.find(uri);
    if (!resource?.write) return failure(`there is no note ${uri}`);
    resource.write(String(args.text ?? 'changed'));
    shared.notices.tell({ kind: 'resource', uri });
    return text(`changed ${uri}`);
  },
};

export const changingTools: readonly TestTool[] = [addTool, removeTool, addPrompt, addResource, updateResource];

/** Only with the option: servers without the capability must not hear of the sandbox. */
export const sandboxState: TestTool = {
  definition: {
    name: 'sandbox_state',
    description: 'Returns the last sandbox state that a client sent.',
    inputSchema: object({}),
  },
  run: (_args, { shared }) => text(JSON.stringify(shared.sandboxState ?? null)),
};

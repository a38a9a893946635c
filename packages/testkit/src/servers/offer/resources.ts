/** The resources people find: a text, a picture, a note that can be changed, one that asks first, and a template. */
import { form } from '../protocol/question.ts';
import type { RequestContext } from '../protocol/request-context.ts';
import { record } from '../rpc.ts';
import { PNG } from './media.ts';

export interface ResourceDefinition {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

/** What one resource holds, without the address and type that every answer repeats. */
export type Content = { readonly text: string } | { readonly blob: string };

export interface TestResource {
  readonly definition: ResourceDefinition;
  read(context: RequestContext): Content | Promise<Content>;
  /** Only on a resource that `update_resource` may change. */
  write?(text: string): void;
}

export interface TestTemplate {
  readonly definition: {
    readonly uriTemplate: string;
    readonly name: string;
    readonly description: string;
    readonly mimeType: string;
  };
  read(variables: Readonly<Record<string, string>>): Content;
  /** What a person may mean by the beginning of a variable. */
  readonly suggestions?: Readonly<Record<string, readonly string[]>>;
}

/** A text resource that can be changed. */
export function note(uri: string, text: string): TestResource {
  let current = text;
  return {
    definition: { uri, name: uri.replace(/^.*\//, ''), description: 'A note.', mimeType: 'text/plain' },
    read: () => ({ text: current }),
    write: text => {
      current = text;
    },
  };
}

const greeting: TestResource = {
  definition: {
    uri: 'demo://greeting',
    name: 'greeting',
    description: 'A greeting from this server.',
    mimeType: 'text/plain',
  },
  read: () => ({ text: 'Hello from the Junctor test server.' }),
};

const picture: TestResource = {
  definition: { uri: 'demo://picture', name: 'picture', description: 'One red pixel.', mimeType: 'image/png' },
  read: () => ({ blob: PNG }),
};

const askFirst: TestResource = {
  definition: {
    uri: 'demo://ask-first',
    name: 'ask-first',
    description: 'Asks a person for their name before it can be read.',
    mimeType: 'text/plain',
  },
  async read({ ask }) {
    const { name } = await ask({ name: form('Who reads this?', { name: { type: 'string' } }, ['name']) });
    return { text: `Written for ${record(name?.content).name ?? 'nobody'}.` };
  },
};

/** New ones for each server: its note can be changed. */
export function demoResources(): TestResource[] {
  return [greeting, picture, note('demo://note', 'Change me with update_resource.'), askFirst];
}

const PEOPLE = ['Ada', 'Alan', 'Barbara', 'Grace', 'Katherine'];

export const demoTemplates: readonly TestTemplate[] = [
  {
    definition: {
      uriTemplate: 'demo://people/{name}',
      name: 'person',
      description: 'A line about somebody; the name can be completed.',
      mimeType: 'text/plain',
    },
    read: ({ name }) => ({ text: `${name} was here.` }),
    suggestions: { name: PEOPLE },
  },
];

/** What all clients of one running test server share: what it offers, the tasks, and who listens for changes. */
import { randomBytes } from 'node:crypto';
import { Notices } from './notices.ts';
import { fixturePrompts } from './offer/fixture-prompts.ts';
import { fixtureResources, fixtureTemplates } from './offer/fixture-resources.ts';
import { List } from './offer/list.ts';
import { demoPrompts, type TestPrompt } from './offer/prompts.ts';
import { demoResources, demoTemplates, type TestResource, type TestTemplate } from './offer/resources.ts';
import type { TestServerOptions } from './options.ts';
import { INSTRUCTIONS, SERVER_INFO } from './protocol/identity.ts';
import { Tasks } from './tasks/tasks.ts';
import { testTools } from './tools/index.ts';
import type { TestTool } from './tools/tool.ts';

export class SharedState {
  readonly options: TestServerOptions;
  /** How the server names itself. */
  readonly info: { readonly name: string; readonly version: string };
  readonly instructions: string;
  readonly notices: Notices = new Notices();
  readonly tasks: Tasks = new Tasks(this.notices);
  readonly tools: List<TestTool>;
  readonly prompts: List<TestPrompt>;
  readonly resources: List<TestResource>;
  readonly templates: readonly TestTemplate[];
  /** Signs what a client brings back to us. Another server's client brings nothing that fits. */
  readonly secret: Buffer = randomBytes(32);
  /** The last state a client sent with codex/sandbox-state/update. */
  sandboxState: unknown;
  readonly #ended = new AbortController();

  constructor(options: TestServerOptions = {}) {
    this.options = options;
    const fixtures = options.fixtures ?? false;
    const { offer } = options;
    this.info = offer?.info ?? SERVER_INFO;
    this.instructions = offer?.instructions ?? INSTRUCTIONS;
    this.tools = new List(offer?.tools ?? testTools(options), tool => tool.definition.name, this.#announce('tools'));
    this.prompts = new List(
      offer?.prompts ?? (fixtures ? [...demoPrompts, ...fixturePrompts] : demoPrompts),
      prompt => prompt.definition.name,
      this.#announce('prompts'),
    );
    this.resources = new List(
      offer?.resources ?? (fixtures ? [...demoResources(), ...fixtureResources()] : demoResources()),
      resource => resource.definition.uri,
      this.#announce('resources'),
    );
    this.templates = offer ? [] : fixtures ? [...demoTemplates, ...fixtureTemplates] : demoTemplates;
  }

  /** Aborts once the server ends: streams that wait for news are over then. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  end(): void {
    this.#ended.abort();
    this.tasks.end();
  }

  #announce(list: 'tools' | 'prompts' | 'resources'): () => void {
    return () => this.notices.tell({ kind: 'list', list });
  }
}

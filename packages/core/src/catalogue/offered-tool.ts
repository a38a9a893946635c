/** A tool as a model or a client is told of it: its public name, texts without anything unseen, a schema it can read. */
import type { Entry, OfferedTool, ToolDefinition, ToolFit } from './entry.ts';
import type { GivenName } from './naming/public-names.ts';
import type { Audience } from './profiles/audience.ts';
import type { SchemaChange } from './schema-fit/change.ts';
import { fitSchema } from './schema-fit/fit-schema.ts';
import { cleanAndCut } from './untrusted/clean-text.ts';
import { cleanValues } from './untrusted/clean-values.ts';
import { describeTool } from './untrusted/describe-tool.ts';

export interface ShownTo {
  readonly given: GivenName;
  /** Server and tool simply joined. */
  readonly plain: string;
  readonly audience: Audience | undefined;
}

/** What it is offered as is worked out when somebody asks: calls need only the name. */
export class ShelvedTool implements Entry {
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly definition: ToolDefinition;
  readonly #shownTo: ShownTo;
  #made: Made | undefined;

  constructor(server: string, definition: ToolDefinition, shownTo: ShownTo) {
    this.name = shownTo.given.name;
    this.server = server;
    this.tool = definition.name;
    this.definition = definition;
    this.#shownTo = shownTo;
  }

  get offered(): OfferedTool {
    this.#made ??= make(this, this.#shownTo);
    return this.#made.offered;
  }

  get fit(): ToolFit {
    this.#made ??= make(this, this.#shownTo);
    return this.#made.fit;
  }
}

interface Made {
  readonly offered: OfferedTool;
  readonly fit: ToolFit;
}

const LONGEST_TITLE = 200;

function make({ name, server, tool, definition }: ShelvedTool, { given, plain, audience }: ShownTo): Made {
  const { name: _name, title, description, inputSchema, outputSchema, annotations, ...rest } = definition;
  const fitted = fitSchema(inputSchema, audience?.schema);
  const result = resultSchema(outputSchema);
  const told = describeTool(description, { server, tool }, audience?.descriptionChars);
  return {
    offered: {
      name,
      ...(typeof title === 'string' ? { title: cleanAndCut(title, LONGEST_TITLE) } : {}),
      description: told,
      inputSchema: fitted.schema,
      ...(result.schema ? { outputSchema: result.schema } : {}),
      ...cleanAnnotations(annotations),
      ...cleanValues(rest),
    },
    fit: {
      ...(given.because === undefined ? {} : { renamed: { from: plain, because: given.because } }),
      changes: [...fitted.changes, ...result.changes],
      strict: fitted.strict,
      descriptionCut: typeof description === 'string' && description.length > told.length,
    },
  };
}

/** Hints and a title; a server that writes something else there is not believed a word. */
function cleanAnnotations(annotations: unknown): { readonly annotations?: object } {
  if (typeof annotations !== 'object' || annotations === null || Array.isArray(annotations)) return {};
  const clean = cleanValues(annotations) as Record<string, unknown>;
  const { title } = clean;
  return { annotations: typeof title === 'string' ? { ...clean, title: cleanAndCut(title, LONGEST_TITLE) } : clean };
}

/** Clients refuse a whole list for one schema of results that is none of an object. */
function resultSchema(schema: unknown): { readonly schema?: object; readonly changes: readonly SchemaChange[] } {
  if (schema === undefined) return { changes: [] };
  const fitted = fitSchema(schema);
  const isUsable = !fitted.changes.some(({ what }) => what === 'replaced' || what === 'root-typed');
  return isUsable ? { schema: fitted.schema, changes: [] } : { changes: [{ at: '', what: 'output-schema-dropped' }] };
}

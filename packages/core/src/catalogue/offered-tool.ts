/** A tool as a model or a client is told of it: its public name, texts without anything unseen, a schema it can read. */
import type { Entry, OfferedTool, ToolDefinition, ToolFit } from './entry.ts';
import type { Audience } from './profiles/audience.ts';
import { compiles } from './schema-fit/compiles.ts';
import { type FittedSchema, fitSchema } from './schema-fit/fit-schema.ts';
import type { Inspections } from './schema-fit/inspections.ts';
import { cleanAndCut, hidesSomething } from './untrusted/clean-text.ts';
import { cleanValues } from './untrusted/clean-values.ts';
import { describeTool } from './untrusted/describe-tool.ts';

/** What the tools of one list have in common when they are shown to somebody. */
export interface ShelfFacts {
  readonly server: string;
  readonly audience: Audience | undefined;
  readonly inspections: Inspections;
}

/** What it is offered as is worked out when somebody asks: calls need only the name. */
export class ShelvedTool implements Entry {
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly definition: ToolDefinition;
  readonly #facts: ShelfFacts;
  /** Its place in the list of its server. */
  readonly #index: number;
  readonly #renamed: ToolFit['renamed'] | undefined;
  #made: Made | undefined;

  constructor(
    name: string,
    definition: ToolDefinition,
    index: number,
    facts: ShelfFacts,
    renamed: ToolFit['renamed'] | undefined,
  ) {
    this.name = name;
    this.server = facts.server;
    this.tool = definition.name;
    this.definition = definition;
    this.#facts = facts;
    this.#index = index;
    this.#renamed = renamed;
  }

  get offered(): OfferedTool {
    this.#made ??= this.#make();
    return this.#made.offered;
  }

  get fit(): ToolFit {
    this.#made ??= this.#make();
    return this.#made.fit;
  }

  #make(): Made {
    const { audience, inspections } = this.#facts;
    const fitted = fitSchema(this.definition.inputSchema, audience?.schema, inspections.of(this.#index));
    return make(this, fitted, audience?.descriptionChars, this.#renamed);
  }
}

interface Made {
  readonly offered: OfferedTool;
  readonly fit: ToolFit;
}

const LONGEST_TITLE = 200;

function make(
  { name, server, tool, definition }: ShelvedTool,
  fitted: FittedSchema,
  descriptionChars: number | undefined,
  renamed: ToolFit['renamed'] | undefined,
): Made {
  const { description } = definition;
  const told = describeTool(description, { server, tool }, descriptionChars);
  const offered: Record<string, unknown> = { name, description: told, inputSchema: fitted.schema };
  for (const key in definition) {
    if (Object.hasOwn(offered, key) || key === '__proto__' || hidesSomething(key)) continue;
    const value = cleanField(key, definition[key]);
    if (value !== undefined) offered[key] = value;
  }
  const withoutResult = definition.outputSchema !== undefined && offered.outputSchema === undefined;
  const changes = withoutResult ? [...fitted.changes, WITHOUT_RESULT_SCHEMA] : fitted.changes;
  const { strict } = fitted;
  const descriptionCut = typeof description === 'string' && description.length > told.length;
  const changed = changes.length > 0 || strict || descriptionCut || renamed !== undefined;
  const fit = changed ? { ...(renamed ? { renamed } : {}), changes, strict, descriptionCut } : NOTHING_CHANGED;
  return { offered: offered as OfferedTool, fit };
}

/** Most tools are offered as they are. */
const NOTHING_CHANGED: ToolFit = { changes: [], strict: false, descriptionCut: false };
const WITHOUT_RESULT_SCHEMA = { at: '', what: 'output-schema-dropped' } as const;

/** Undefined where it is not what it has to be. */
function cleanField(key: string, value: unknown): unknown {
  if (key === 'title') return typeof value === 'string' ? cleanAndCut(value, LONGEST_TITLE) : undefined;
  if (key === 'annotations') return cleanAnnotations(value);
  return key === 'outputSchema' ? resultSchema(value) : cleanValues(value);
}

/** Hints and a title; a server that writes something else there is not believed a word. */
function cleanAnnotations(annotations: unknown): object | undefined {
  if (typeof annotations !== 'object' || annotations === null || Array.isArray(annotations)) return undefined;
  const clean = cleanValues(annotations) as Record<string, unknown>;
  const { title } = clean;
  return typeof title === 'string' ? { ...clean, title: cleanAndCut(title, LONGEST_TITLE) } : clean;
}

/** Clients refuse a whole list for one schema of results that describes no object, or that they cannot compile. */
function resultSchema(schema: unknown): object | undefined {
  const fitted = fitSchema(schema);
  const isOther = fitted.changes.some(({ what }) => what === 'replaced' || what === 'root-typed');
  return isOther || !compiles(fitted.schema) ? undefined : fitted.schema;
}

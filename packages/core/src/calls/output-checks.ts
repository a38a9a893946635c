/** Checks what tools answer against the `outputSchema` they declare, as `results.validate_output` says. Changes no result. */
import type { Log } from '../base/log/log.ts';
import { toolKey } from '../base/tool-key.ts';
import type { ToolDefinition } from '../catalogue/entry.ts';
import type { JsonSchema } from '../catalogue/schema-fit/json-schema.ts';
import type { ToolRef } from '../permissions/caller.ts';
import type { OutputMisfit } from '../results/tool-result.ts';

export type OutputMode = 'warn' | 'strict' | 'off';

export interface OutputChecksParts {
  readonly log: Log;
  /** The tool as its server lists it now, where that is known without asking. */
  readonly known: (server: string, tool: string) => ToolDefinition | undefined;
  readonly list: (server: string) => Promise<readonly ToolDefinition[]>;
}

/** A server that changes its list without end must not fill the memory with names that were logged. */
const MOST_LOGGED = 10_000;

export class OutputChecks {
  mode: OutputMode;
  readonly #parts: OutputChecksParts;
  /** The schemas that can be used, by definition: a list that changed has others. */
  readonly #schemas = new WeakMap<ToolDefinition, JsonSchema | 'unusable'>();
  readonly #logged = new Set<string>();

  constructor(parts: OutputChecksParts, mode: OutputMode) {
    this.#parts = parts;
    this.mode = mode;
  }

  /** Undefined at once where there is nothing to check: the way of nearly every call. */
  check(ref: ToolRef, answer: unknown): Promise<OutputMisfit | undefined> | undefined {
    if (this.mode === 'off') return undefined;
    const { structuredContent, isError } = answer as { structuredContent?: unknown; isError?: unknown };
    if (isError === true || (structuredContent === undefined && this.mode === 'warn')) return undefined;
    const definition = this.#parts.known(ref.server, ref.tool);
    if (definition) return definition.outputSchema ? this.#compared(ref, structuredContent, definition) : undefined;
    return this.mode === 'strict' ? this.#listedFirst(ref, structuredContent) : undefined;
  }

  async #listedFirst(ref: ToolRef, output: unknown): Promise<OutputMisfit | undefined> {
    // A server that answers calls and cannot list its tools declares nothing that could be checked.
    const listed = await this.#parts.list(ref.server).catch(() => []);
    const definition = listed.find(({ name }) => name === ref.tool);
    return definition?.outputSchema ? this.#compared(ref, output, definition) : undefined;
  }

  async #compared(ref: ToolRef, output: unknown, definition: ToolDefinition): Promise<OutputMisfit | undefined> {
    // Few tools declare a schema, and every start would pay for this.
    const { outputProblem, outputSchemaOf } = await import('../results/output/output-schema.ts');
    const schema = this.#schemas.get(definition) ?? outputSchemaOf(definition.outputSchema) ?? 'unusable';
    this.#schemas.set(definition, schema);
    const why = schema === 'unusable' ? undefined : outputProblem(output, schema);
    if (why === undefined) return undefined;
    this.#log(ref, why);
    const { server, tool } = ref;
    const sentence = `The structured output of '${tool}' on server '${server}' does not fit its output schema: ${why}.`;
    return { sentence, fails: this.mode === 'strict' };
  }

  #log(ref: ToolRef, why: string): void {
    const key = toolKey(ref);
    if (this.#logged.has(key)) return;
    if (this.#logged.size >= MOST_LOGGED) this.#logged.clear();
    this.#logged.add(key);
    const { server, tool } = ref;
    this.#parts.log.warn('structured output does not fit the output schema of its tool', { server, tool, why });
  }
}

/** What a tool of the test server is. */
import type { RequestContext } from '../protocol/request-context.ts';

export type Args = Readonly<Record<string, unknown>>;

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations?: object;
}

export interface TestTool {
  readonly definition: ToolDefinition;
  /** Whether it can go on in a task, or only runs in one. */
  readonly taskSupport?: 'optional' | 'required';
  run(args: Args, context: RequestContext): object | Promise<object>;
}

export const text = (value: string): object => ({ content: [{ type: 'text', text: value }] });

/** A result that reports a failure of the tool. */
export const failure = (value: string): object => ({ ...text(value), isError: true });

/** The schema of an object. */
export const object = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required,
});

/** A tool that takes nothing and answers at once. */
export function constant(name: string, description: string, result: () => object): TestTool {
  return { definition: { name, description, inputSchema: object({}) }, run: result };
}

/** What a program serves that uses the protocol of the test server, and not its tools. */
import type { TestTool } from '../tools/tool.ts';
import type { TestPrompt } from './prompts.ts';
import type { TestResource } from './resources.ts';

export interface ServedOffer {
  readonly info: { readonly name: string; readonly version: string };
  readonly instructions: string;
  readonly tools: readonly TestTool[];
  readonly prompts: readonly TestPrompt[];
  readonly resources: readonly TestResource[];
  /** A client says what sandbox it works in. */
  onSandboxState?(state: object): void;
}

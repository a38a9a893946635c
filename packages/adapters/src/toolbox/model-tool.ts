import type { ToolRef } from '@junctor/core';

/** One tool as a model is told of it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The model can be held to the schema to the letter. */
  readonly strict: boolean;
  /** Where it is from. Absent: it is one of Junctor's own. */
  readonly from?: ToolRef;
}

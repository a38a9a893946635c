/** Calls that name no tool, or bring something else than arguments: mistakes of the program, told before a server sees them. Pure. */
import { JunctorError } from '../base/error.ts';
import type { ToolRef } from './call.ts';

export function misusedCall(target: string | ToolRef, args: unknown): JunctorError | undefined {
  if (!isTarget(target)) {
    return misuse('A call names its tool by a public name, or as { server, tool }.', {
      why: `it was given ${kindOf(target)}`,
      hint: 'take the name from host.tools()',
    });
  }
  if (args === undefined || args === null || kindOf(args) === 'an object') return undefined;
  const name = typeof target === 'string' ? target : target.tool;
  return misuse(`The arguments for '${name}' are ${kindOf(args)}, and a tool takes an object.`, {
    hint: typeof args === 'string' ? 'pass JSON.parse(arguments)' : 'pass them by name: { text: "hello" }',
  });
}

/** The types forbid anything else, but not every program is checked by them. */
function isTarget(target: unknown): target is string | ToolRef {
  if (typeof target === 'string') return true;
  const { server, tool } = (target ?? {}) as Partial<Record<keyof ToolRef, unknown>>;
  return typeof server === 'string' && typeof tool === 'string';
}

function misuse(sentence: string, details: { readonly why?: string; readonly hint: string }): JunctorError {
  const error = new JunctorError('usage', sentence, { ...details, unsent: true });
  error.outcome = 'not_sent';
  return error;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

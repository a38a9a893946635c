/** Announces tasks where a server behind an endpoint runs some, in the words of the client's era. */
import {
  type EraName,
  type Greeting,
  hasTasks,
  isObject,
  TASKS_EXTENSION,
  taskSupportOf,
} from '@junctor/core/internal';

/** Tasks came to the older era with its last revision. */
const SINCE = '2025-11-25';

const LEGACY_TASKS = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

/** The client that reads what an endpoint can do. `version`: the revision that was agreed on; in the newer era there is one. */
export interface Audience {
  readonly era: EraName;
  readonly version?: string | undefined;
}

/** The capabilities of an endpoint with these servers, as far as they concern tasks. Undefined: a server that is not there yet. */
export function taskCapabilities(
  { era, version }: Audience,
  greetings: readonly (Greeting | undefined)[],
): { readonly tasks?: object; readonly extensions?: object } {
  if (!greetings.some(greeting => greeting === undefined || hasTasks(greeting))) return {};
  if (era === 'modern') return { extensions: { [TASKS_EXTENSION]: {} } };
  return version !== undefined && version >= SINCE ? { tasks: LEGACY_TASKS } : {};
}

/**
 * A tool as it is listed to clients of this era. The hub follows tasks for clients that know none, so that no tool requires
 * one; and where its server decides, a client of the older era may ask. The same tool where nothing has to change.
 */
export function withTaskSupport<Listed extends object>(
  tool: Listed,
  era: EraName,
  greeting: Greeting | undefined,
): Listed {
  const { execution } = tool as { readonly execution?: unknown };
  const support = era === 'legacy' && runsTasks(tool, greeting) ? 'optional' : undefined;
  if (taskSupportOf(tool) === support) return tool;
  const { taskSupport: _support, ...rest } = isObject(execution) ? execution : {};
  if (support) return { ...tool, execution: { ...rest, taskSupport: support } };
  const { execution: _execution, ...plain } = tool as Listed & { readonly execution?: unknown };
  return (Object.keys(rest).length > 0 ? { ...plain, execution: rest } : plain) as Listed;
}

function runsTasks(tool: object, greeting: Greeting | undefined): boolean {
  if (greeting && !hasTasks(greeting)) return false;
  return greeting?.era === 'modern' || taskSupportOf(tool) !== undefined;
}

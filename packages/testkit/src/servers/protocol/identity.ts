/** How the server names itself, and what it says it can do; the rest of its capabilities depends on the era. */
import { methodNotFound, type Params } from '../rpc.ts';
import type { SharedState } from '../shared-state.ts';

export const SERVER_INFO = { name: 'junctor-test-server', version: '0.1.0' };

export const INSTRUCTIONS =
  'A server to try an MCP host with. Start with echo; ask_person, ask_model and show_roots ask the client; ' +
  'add_tool changes the list of tools; slow and task_slow take their time.';

/** Tools and prompts of a program that is served stay as they are; only its resources come and go. */
export function commonCapabilities({ options }: SharedState): object {
  const changing = options.offer ? {} : { listChanged: true };
  return {
    tools: changing,
    prompts: changing,
    resources: { subscribe: true, listChanged: true },
    completions: {},
  };
}

const SANDBOX_STATE = 'codex/sandbox-state';

export const SANDBOX_UPDATE = `${SANDBOX_STATE}/update`;

export function experimental(shared: SharedState): object {
  return shared.options.sandboxState ? { experimental: { [SANDBOX_STATE]: { version: '1.0.0' } } } : {};
}

/** Takes the state, whether it came as a request or as a notification. */
export function keepSandboxState(params: Params, shared: SharedState): object {
  if (!shared.options.sandboxState) throw methodNotFound(SANDBOX_UPDATE);
  const { _meta, ...state } = params;
  shared.sandboxState = state;
  shared.options.offer?.onSandboxState?.(state);
  return {};
}

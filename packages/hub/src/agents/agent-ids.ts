import { AGENT_NAMES } from '@junctor/core/light';

/** Agents that have a door without anybody setting one up; `default` is for any other client. */
export const AGENT_IDS: ReadonlySet<string> = new Set(['default', ...AGENT_NAMES]);

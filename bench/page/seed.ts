/** Fills the audit of a hub that is not running, through the store's own code. */
import { CallRows } from '../../packages/hub/src/store/call-rows.ts';
import { openStore } from '../../packages/hub/src/store/open-store.ts';
import type { CallRow } from '../../packages/hub/src/store/tables.ts';

const AGENTS = ['codex', 'claude-code', 'gemini-cli'];
const BATCH = 5000;
const EVERY_MS = 600;

/** Newest a moment ago; one in fifty failed. */
export async function seedCalls(dataDirectory: string, count: number, servers: readonly string[]): Promise<void> {
  await using store = await openStore({ dataDirectory });
  const rows = new CallRows(store);
  const begin = Date.now() - count * EVERY_MS;
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => call(from + at, begin, servers));
    await store.alone(change => rows.add(change, batch, []));
  }
}

function call(at: number, begin: number, servers: readonly string[]): CallRow {
  const failed = at % 50 === 7;
  return {
    call_id: `seeded-${at}`,
    bearer: 'agent',
    agent: AGENTS[at % AGENTS.length] as string,
    person: '',
    surface: 'agent-endpoint',
    project: '',
    session: `session-${at % 20}`,
    server: servers[at % servers.length] as string,
    tool: `tool_${at % 37}`,
    verdict: 'allow',
    because: 'the server is trusted',
    started: begin + at * EVERY_MS,
    ms: 5 + ((at * 7919) % 400) * (at % 11 === 0 ? 4 : 1),
    bytes_in: 180,
    bytes_out: 900 + (at % 5000),
    outcome: 'done',
    failed: failed ? 1 : 0,
    code: failed ? 'tool_failed' : null,
    arguments: JSON.stringify({ path: `/srv/files/${at}`, text: `what was asked the ${at}th time`, depth: at % 9 }),
  };
}

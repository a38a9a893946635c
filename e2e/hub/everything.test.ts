/** The published test server behind an agent endpoint: each of its tools works there, for clients that know no tasks too. */
import { everything, makeHome, promise, type RunningHub, startHub, trusted } from '@junctor/testkit';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Era, sdkPeer } from './sdk-peer.ts';
import { settled } from './settled.ts';
import { outcomeOf, taskClient, textOf, ticketOf } from './task-client.ts';

const ERAS: readonly Era[] = ['legacy', 'modern'];

/** What each tool is called with. A tool that is not here fails the test. */
const ARGUMENTS: Readonly<Record<string, Record<string, unknown>>> = {
  echo: { message: 'hello' },
  'get-annotated-message': { messageType: 'success' },
  'get-env': {},
  'get-resource-links': { count: 2 },
  'get-resource-reference': { resourceType: 'Text', resourceId: 1 },
  'get-roots-list': {},
  'get-structured-content': { location: 'New York' },
  'get-sum': { a: 1, b: 2 },
  'get-tiny-image': {},
  'gzip-file-as-resource': { name: 'note.gz', data: 'data:text/plain,hello', outputType: 'resource' },
  'simulate-research-query': { topic: 'python', ambiguous: true },
  'toggle-simulated-logging': {},
  'toggle-subscriber-updates': {},
  'trigger-elicitation-request': {},
  'trigger-long-running-operation': { duration: 0.2, steps: 2 },
  'trigger-sampling-request': { prompt: 'hello', maxTokens: 10 },
};

/** Asks clients to open a page, which these cannot. */
const NEEDS_PAGES = 'trigger-url-elicitation';

let home: Awaited<ReturnType<typeof makeHome>>;
let hub: RunningHub;

beforeAll(async () => {
  home = await makeHome();
  hub = await startHub(home, { version: 1, servers: { every: trusted(everything()) }, search: { enabled: false } });
  await settled(hub);
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

describe.each(ERAS)('a %s client at an agent endpoint', era => {
  promise(
    '11.1d',
    'calls every tool of the published test server, though it knows no tasks',
    async () => {
      const elicit = () => ({ action: 'accept' as const, content: { interpretation: 'snake' } });
      await using peer = await sdkPeer(hub, '/mcp/codex', { era, elicit });
      const listed = async () => (await peer.client.listTools()).tools.map(({ name }) => name.replace('every_', ''));
      await expect.poll(listed, { timeout: 20_000 }).toContain('simulate-research-query');
      const outcomes: unknown[] = [];
      const names = (await listed()).filter(name => name !== NEEDS_PAGES);
      for (const name of names) {
        const args = ARGUMENTS[name];
        if (!args) throw new Error(`no arguments are known for ${name}`);
        const result = await peer.client.callTool({ name: `every_${name}`, arguments: args });
        outcomes.push([name, result.isError ?? false, name === 'simulate-research-query' ? textOf({ result }) : '']);
      }
      expect(outcomes).toEqual(
        names.map(name => [
          name,
          false,
          name === 'simulate-research-query' ? expect.stringContaining('# Research Report: python (snake)') : '',
        ]),
      );
    },
    120_000,
  );

  promise(
    '11.1a',
    'runs its task tool as a task',
    async () => {
      const client = await taskClient(hub, '/mcp/codex', era);
      const tool = 'every_simulate-research-query';
      const { taskId } = ticketOf(era, await client.call(tool, { topic: 'rust', ambiguous: false }));
      expect(textOf(await outcomeOf(client, taskId))).toContain('# Research Report: rust');
    },
    60_000,
  );
});

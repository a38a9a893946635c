/** The client that the MCP conformance suite puts to the test: Junctor's own host, given one server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost } from '@junctor/core';
import { actFor } from './client-acts.ts';
import { configFor, readTask } from './client-task.ts';

const task = readTask(process.argv.slice(2), process.env);
// Nothing is remembered from one scenario to the next.
const data = await mkdtemp(join(tmpdir(), 'junctor-conformance-'));
try {
  await using host = await createHost({
    config: configFor(task),
    data,
    roots: [],
    sample: () => ({ role: 'assistant', content: { type: 'text', text: 'A model said this.' }, model: 'none' }),
    // Whoever leaves a form as it is gets what the form proposes.
    elicit: () => ({ action: 'accept', content: {} }),
    // A browser that is sent from page to page, until it is back with the code.
    signIn: { visit: async url => void (await fetch(url)) },
  });
  await actFor(task.scenario)(host, task);
} finally {
  await rm(data, { recursive: true, force: true });
}

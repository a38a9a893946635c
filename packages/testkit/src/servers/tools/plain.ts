/** The tools most tests and most people use: each shows one thing a host must cope with. */
import { setTimeout as sleep } from 'node:timers/promises';
import { constant, failure, object, type TestTool, text } from './tool.ts';

const echo: TestTool = {
  definition: {
    name: 'echo',
    description: 'Returns its text.',
    inputSchema: object({ text: { type: 'string', description: 'What to return' } }, ['text']),
    annotations: { readOnlyHint: true },
  },
  run: args => text(String(args.text ?? '')),
};

const fail: TestTool = {
  definition: {
    name: 'fail',
    description: 'Always fails.',
    inputSchema: object({ message: { type: 'string', description: 'What to fail with' } }),
  },
  run: args => failure(String(args.message ?? 'this tool always fails')),
};

const SLOW_MS = 5000;
const SLOW_STEPS = 10;

const slow: TestTool = {
  definition: {
    name: 'slow',
    description: 'Takes 5 seconds, reporting progress.',
    inputSchema: object({ ms: { type: 'integer', description: 'How long to take instead', minimum: 0 } }),
  },
  async run(args, { signal, progress }) {
    const ms = typeof args.ms === 'number' ? args.ms : SLOW_MS;
    for (let step = 1; step <= SLOW_STEPS; step++) {
      await sleep(ms / SLOW_STEPS, undefined, { signal });
      progress(step, SLOW_STEPS, `step ${step} of ${SLOW_STEPS}`);
    }
    return text(`waited ${ms} ms`);
  },
};

const jsonResponse: TestTool = {
  definition: {
    name: 'json_response',
    description: 'Returns structured JSON.',
    inputSchema: object({}),
    outputSchema: object({ ok: { type: 'boolean' }, items: { type: 'array', items: { type: 'integer' } } }, [
      'ok',
      'items',
    ]),
  },
  run() {
    const structuredContent = { ok: true, items: [1, 2, 3] };
    return { ...text(JSON.stringify(structuredContent)), structuredContent };
  },
};

const big: TestTool = {
  definition: {
    name: 'big',
    description: 'Returns as many bytes of text as asked for.',
    inputSchema: object({ bytes: { type: 'integer', minimum: 0 } }, ['bytes']),
  },
  run: args => text('x'.repeat(Number(args.bytes ?? 0))),
};

const pid = constant('pid', 'Returns the process id of the server.', () => text(String(process.pid)));

const state: TestTool = {
  definition: {
    name: 'state',
    description: 'Tells how many calls run and how many were cancelled.',
    inputSchema: object({}),
  },
  run: (_args, { counts }) => ({ ...text(JSON.stringify(counts)), structuredContent: counts }),
};

export const plainTools: readonly TestTool[] = [echo, fail, slow, jsonResponse, big, pid, state];

/** A definition of about the size that published servers have. */
export function filler(number: number): TestTool {
  return {
    definition: {
      name: `tool_${number}`,
      description: `Tool number ${number}: looks up records of kind ${number % 17} and returns the newest first.`,
      inputSchema: object(
        {
          query: { type: 'string', description: 'What to look for' },
          limit: { type: 'integer', description: 'How many records to return', minimum: 1, maximum: 100 },
          cursor: { type: 'string', description: 'Where to go on from' },
        },
        ['query'],
      ),
    },
    run: args => text(`tool_${number}: ${JSON.stringify(args)}`),
  };
}

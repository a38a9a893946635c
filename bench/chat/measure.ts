/**
 * What the loop of chat adds to the AI SDK: the same conversations with the same tool, by `streamText` alone and by the loop,
 * in turns, in one process. Prints CPU milliseconds of this thread for one conversation.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { isStepCount, jsonSchema, type LanguageModel, streamText, tool } from 'ai';
import { run } from '../../packages/chat/src/loop/run.ts';

const CONVERSATIONS = 40;
const RUNS = 8;

const thread = new Worker(join(import.meta.dirname, 'model.js'));
const [url] = (await once(thread, 'message')) as [string];
const model: LanguageModel = createOpenAICompatible({ name: 'scripted', baseURL: url, apiKey: 'none' })('scripted');

const tools = {
  look: tool({
    description: 'Looks at something.',
    inputSchema: jsonSchema<{ what: string }>({ type: 'object', properties: { what: { type: 'string' } } }),
    execute: async ({ what }) => `It is ${what}.`,
  }),
};
const instructions = 'You are asked to look at things.';
const messages = [{ role: 'user' as const, content: 'Look at everything.' }];

async function bare(): Promise<number> {
  let characters = 0;
  const { fullStream } = streamText({ model, instructions, messages, tools, stopWhen: isStepCount(100) });
  for await (const part of fullStream) if (part.type === 'text-delta') characters += part.text.length;
  return characters;
}

async function looped(): Promise<number> {
  let characters = 0;
  await run({ model, instructions, messages, tools, signal: new AbortController().signal }, event => {
    if (event.type === 'text') characters += event.text.length;
  });
  return characters;
}

async function cpuMs(conversation: () => Promise<number>): Promise<number> {
  thread.postMessage(CONVERSATIONS);
  globalThis.gc?.();
  const before = process.threadCpuUsage();
  for (let count = 0; count < CONVERSATIONS; count++) {
    if ((await conversation()) === 0) throw new Error('the model said nothing');
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 / CONVERSATIONS;
}

const times = { bare: [] as number[], loop: [] as number[] };
await cpuMs(bare); // neither is to pay for what both load
await cpuMs(looped);
for (let count = 0; count < RUNS; count++) {
  times.bare.push(await cpuMs(bare));
  times.loop.push(await cpuMs(looped));
}
// The best of each: other work on the machine makes a run slower, never faster.
process.stdout.write(JSON.stringify({ bare: Math.min(...times.bare), loop: Math.min(...times.loop) }));
await thread.terminate();
process.exit(0);

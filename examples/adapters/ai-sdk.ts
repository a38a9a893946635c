/**
 * An agent with the AI SDK. Run it inside the clone:
 *   OPENAI_BASE_URL=http://localhost:11434/v1 MODEL=qwen3 npx node examples/adapters/ai-sdk.ts "Echo hello."
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { aiTools } from '@junctor/adapters/ai-sdk';
import { createHost } from '@junctor/core';
import { isStepCount, jsonSchema, streamText, tool } from 'ai';
import { config } from './servers.ts';

const { OPENAI_BASE_URL = 'http://localhost:11434/v1', OPENAI_API_KEY = '', MODEL = 'qwen3' } = process.env;
const [prompt = 'Echo hello.'] = process.argv.slice(2);

await using host = await createHost({ config });
const model = createOpenAICompatible({ name: 'any', baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY })(MODEL);

const time = tool({
  description: 'Tells the year.',
  inputSchema: jsonSchema({ type: 'object', properties: {} }),
  execute: async () => String(new Date().getFullYear()),
});

const mcp = await aiTools(host, { model, native: { time } });
for (const { server, error } of mcp.failures) console.error(`${server}: ${error.message}`);

const { stream } = streamText({ model, ...mcp, prompt, stopWhen: isStepCount(10) });
for await (const part of stream) {
  if (part.type === 'text-delta') process.stdout.write(part.text);
  if (part.type === 'tool-call') console.log(`→ ${part.toolName} ${JSON.stringify(part.input)}`);
  if (part.type === 'error') console.error(part.error);
}
console.log();

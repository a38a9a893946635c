/**
 * An agent on OpenAI's Responses API, with nothing but fetch. Run it inside the clone:
 *   OPENAI_API_KEY=… MODEL=gpt-5.4 npx node examples/adapters/openai-responses.ts
 */
import { openaiResponsesTools, type ResponsesToolCall } from '@junctor/adapters/openai';
import { createHost } from '@junctor/core';
import { config } from './servers.ts';

const { OPENAI_BASE_URL = 'https://api.openai.com/v1', OPENAI_API_KEY = '', MODEL = 'gpt-5.4' } = process.env;
const [prompt = 'Echo hello.'] = process.argv.slice(2);

type Item = { type: 'message'; content: { text: string }[] } | ({ type: 'function_call' } & ResponsesToolCall);

await using host = await createHost({ config });
// With the model known, a long list of tools is searched by OpenAI instead of being sent.
const mcp = await openaiResponsesTools(host, { model: MODEL });
for (const { server, error } of mcp.failures) console.error(`${server}: ${error.message}`);

const input: object[] = [{ role: 'user', content: prompt }];
for (;;) {
  const response = await fetch(`${OPENAI_BASE_URL}/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${OPENAI_API_KEY}` },
    body: JSON.stringify({ model: MODEL, input, ...mcp.request, store: false }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { output } = (await response.json()) as { output: Item[] };
  input.push(...output);
  let called = false;
  for (const item of output) {
    if (item.type === 'message') console.log(item.content.map(({ text }) => text).join(''));
    if (item.type !== 'function_call') continue;
    console.log(`→ ${item.name} ${item.arguments}`);
    input.push(await mcp.run(item));
    called = true;
  }
  if (!called) break;
}

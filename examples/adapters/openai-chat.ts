/**
 * An agent on Chat Completions, with nothing but fetch. Run it inside the clone:
 *   OPENAI_BASE_URL=https://api.openai.com/v1 OPENAI_API_KEY=… MODEL=gpt-5 npx node examples/adapters/openai-chat.ts
 */
import { type ChatToolCall, openaiTools } from '@junctor/adapters/openai';
import { createHost } from '@junctor/core';
import { config } from './servers.ts';

const { OPENAI_BASE_URL = 'https://api.openai.com/v1', OPENAI_API_KEY = '', MODEL = 'gpt-5' } = process.env;
const [prompt = 'Echo hello.'] = process.argv.slice(2);

type Message = { role: string; content: string | null; tool_calls?: ChatToolCall[] };

await using host = await createHost({ config });
const mcp = await openaiTools(host);
for (const { server, error } of mcp.failures) console.error(`${server}: ${error.message}`);

const messages: object[] = [{ role: 'user', content: prompt }];
for (;;) {
  const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${OPENAI_API_KEY}` },
    body: JSON.stringify({ model: MODEL, messages, ...mcp.request }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { choices } = (await response.json()) as { choices: [{ message: Message }] };
  const { message } = choices[0];
  messages.push(message);
  if (!message.tool_calls) {
    console.log(message.content);
    break;
  }
  for (const call of message.tool_calls) {
    console.log(`→ ${call.function.name} ${call.function.arguments}`);
    messages.push(await mcp.run(call));
  }
}

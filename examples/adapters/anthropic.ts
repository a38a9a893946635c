/**
 * An agent on Anthropic's Messages API, with nothing but fetch. Run it inside the clone:
 *   ANTHROPIC_API_KEY=… MODEL=claude-sonnet-4-5 npx node examples/adapters/anthropic.ts
 */
import { type AnthropicToolResult, anthropicTools } from '@junctor/adapters/anthropic';
import { createHost } from '@junctor/core';
import { config } from './servers.ts';

const { ANTHROPIC_BASE_URL = 'https://api.anthropic.com/v1', ANTHROPIC_API_KEY = '' } = process.env;
const { MODEL = 'claude-sonnet-4-5' } = process.env;
const [prompt = 'Echo hello.'] = process.argv.slice(2);

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: unknown };

await using host = await createHost({ config });
// With the model known, a long list of tools is searched by Anthropic instead of being sent.
const mcp = await anthropicTools(host, { model: MODEL });
for (const { server, error } of mcp.failures) console.error(`${server}: ${error.message}`);

const messages: object[] = [{ role: 'user', content: prompt }];
for (;;) {
  const response = await fetch(`${ANTHROPIC_BASE_URL}/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': ANTHROPIC_API_KEY,
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify({ model: MODEL, max_tokens: 4096, messages, ...mcp.request }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { content } = (await response.json()) as { content: Block[] };
  messages.push({ role: 'assistant', content });
  const results: AnthropicToolResult[] = [];
  for (const block of content) {
    if (block.type === 'text') console.log(block.text);
    if (block.type !== 'tool_use') continue;
    console.log(`→ ${block.name} ${JSON.stringify(block.input)}`);
    results.push(await mcp.run(block));
  }
  if (results.length === 0) break;
  messages.push({ role: 'user', content: results });
}

/**
 * An agent on the Gemini API, with nothing but fetch. Run it inside the clone:
 *   GEMINI_API_KEY=… MODEL=gemini-3-pro-preview npx node examples/adapters/gemini.ts
 */
import { type GeminiFunctionCall, type GeminiFunctionResponsePart, geminiTools } from '@junctor/adapters/gemini';
import { createHost } from '@junctor/core';
import { config } from './servers.ts';

const { GEMINI_BASE_URL = 'https://generativelanguage.googleapis.com/v1beta', GEMINI_API_KEY = '' } = process.env;
const { MODEL = 'gemini-3-pro-preview' } = process.env;
const [prompt = 'Echo hello.'] = process.argv.slice(2);

type Part = { text?: string; functionCall?: GeminiFunctionCall };

await using host = await createHost({ config });
const mcp = await geminiTools(host, { model: MODEL });
for (const { server, error } of mcp.failures) console.error(`${server}: ${error.message}`);

const contents: object[] = [{ role: 'user', parts: [{ text: prompt }] }];
for (;;) {
  const response = await fetch(`${GEMINI_BASE_URL}/models/${MODEL}:generateContent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': GEMINI_API_KEY },
    body: JSON.stringify({ contents, ...mcp.request }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { candidates } = (await response.json()) as { candidates: [{ content: { parts: Part[] } }] };
  const { content } = candidates[0];
  contents.push(content);
  const answers: GeminiFunctionResponsePart[] = [];
  for (const { text, functionCall } of content.parts) {
    if (text) console.log(text);
    if (!functionCall) continue;
    console.log(`→ ${functionCall.name} ${JSON.stringify(functionCall.args)}`);
    answers.push(await mcp.run(functionCall));
  }
  if (answers.length === 0) break;
  contents.push({ role: 'user', parts: answers });
}

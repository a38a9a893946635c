/** Each plain API as a small program uses it: ask, run the calls, answer them, until the model calls nothing more. */
import { anthropicTools } from '@junctor/adapters/anthropic';
import { geminiTools } from '@junctor/adapters/gemini';
import { openaiResponsesTools, openaiTools, type RunOptions, type ToolboxOptions } from '@junctor/adapters/openai';
import type { Host } from '@junctor/core';
import type { ScriptedModel } from '@junctor/testkit/model';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of APIs, read as their documentation says
type Answer = any;

export interface PlainApi {
  readonly name: string;
  /** Whether answers of tools may hold pictures. */
  readonly pictures: boolean;
  play(host: Host, model: ScriptedModel, options?: ToolboxOptions, run?: RunOptions): Promise<Played>;
}

export interface Played {
  readonly text: string;
  /** What was sent in answer to each call. */
  readonly answers: Answer[];
}

async function post(url: string, body: Body): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response.json();
}

const chatCompletions: PlainApi = {
  name: 'OpenAI Chat Completions',
  pictures: false,
  async play(host, model, options, run) {
    const mcp = await openaiTools(host, options);
    const answers: Answer[] = [];
    const messages: Body[] = [{ role: 'user', content: 'Do it.' }];
    for (;;) {
      const body = { model: 'scripted-1', messages, ...mcp.request };
      const { message } = (await post(`${model.url}/chat/completions`, body)).choices[0];
      if (!message.tool_calls) return { text: message.content, answers };
      messages.push(message);
      for (const call of message.tool_calls) {
        const answer = await mcp.run(call, run);
        answers.push(answer);
        messages.push({ ...answer });
      }
    }
  },
};

const responses: PlainApi = {
  name: 'OpenAI Responses',
  pictures: true,
  async play(host, model, options, run) {
    const mcp = await openaiResponsesTools(host, options);
    const answers: Answer[] = [];
    const input: Body[] = [{ role: 'user', content: 'Do it.' }];
    for (;;) {
      const { output } = await post(`${model.url}/responses`, { model: 'scripted-1', input, ...mcp.request });
      input.push(...output);
      const calls = output.filter((item: Answer) => item.type === 'function_call');
      if (calls.length === 0) return { text: output.at(-1).content[0].text, answers };
      for (const call of calls) {
        const answer = await mcp.run(call, run);
        answers.push(answer);
        input.push({ ...answer });
      }
    }
  },
};

const messagesApi: PlainApi = {
  name: 'Anthropic Messages',
  pictures: true,
  async play(host, model, options, run) {
    const mcp = await anthropicTools(host, options);
    const answers: Answer[] = [];
    const messages: Body[] = [{ role: 'user', content: 'Do it.' }];
    for (;;) {
      const body = { model: 'scripted-1', max_tokens: 1000, messages, ...mcp.request };
      const { content, stop_reason } = await post(`${model.url}/messages`, body);
      if (stop_reason !== 'tool_use') return { text: content.at(-1).text, answers };
      const uses = content.filter((block: Answer) => block.type === 'tool_use');
      const results = await Promise.all(uses.map((use: Answer) => mcp.run(use, run)));
      answers.push(...results);
      messages.push({ role: 'assistant', content }, { role: 'user', content: results });
    }
  },
};

const gemini: PlainApi = {
  name: 'Gemini',
  pictures: true,
  async play(host, model, options, run) {
    const mcp = await geminiTools(host, options);
    const answers: Answer[] = [];
    const contents: Body[] = [{ role: 'user', parts: [{ text: 'Do it.' }] }];
    for (;;) {
      const url = `${model.geminiUrl}/models/gemini-3-pro:generateContent`;
      const { content } = (await post(url, { contents, ...mcp.request })).candidates[0];
      const calls = content.parts.flatMap((part: Answer) => part.functionCall ?? []);
      if (calls.length === 0) return { text: content.parts.at(-1).text, answers };
      const parts = await Promise.all(calls.map((call: Answer) => mcp.run(call, run)));
      answers.push(...parts);
      contents.push(content, { role: 'user', parts });
    }
  },
};

export const PLAIN_APIS: readonly PlainApi[] = [chatCompletions, responses, messagesApi, gemini];

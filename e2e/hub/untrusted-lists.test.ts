import { makeHome, startHub } from '@junctor/testkit';
import { serveHttp } from '@junctor/testkit/test-server';
import { expect, test } from 'vitest';
import { RawClient } from './rpc.ts';

/** Escapes, marks that turn the reading, zero-width and tag characters. */
const HIDDEN = '\u001b\u202e\u200b\u{e0049}';
const UNSEEN = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]|(?![\n\t])\p{Cc}/u;

const described = { title: `Ti${HIDDEN}tle`, description: `Reads${HIDDEN} it. ${'x'.repeat(5000)}` };

const OFFER = {
  info: { name: 'hostile', version: '1' },
  instructions: `Be${HIDDEN} good.`,
  tools: [],
  prompts: [
    {
      definition: {
        name: 'greet',
        ...described,
        arguments: [
          { name: 'who', description: `Wh${HIDDEN}om` },
          { name: `odd${HIDDEN}`, description: 'left out' },
        ],
      },
      messages: () => [{ role: 'user', content: { type: 'text', text: `Say${HIDDEN} hello.` } }],
    },
  ],
  resources: [
    {
      definition: { uri: 'demo://note', name: `no${HIDDEN}te`, ...described, mimeType: 'text/plain' },
      read: () => ({ text: `what it${HIDDEN} says` }),
    },
  ],
};

test("prompts, resources and instructions of strangers go through an agent's door with nothing unseen in them", async () => {
  await using home = await makeHome();
  const server = await serveHttp(0, { offer: OFFER });
  try {
    await using hub = await startHub(home, { version: 1, servers: { s: { transport: 'http', url: server.url } } });
    const client = await RawClient.open(hub, '/mcp/codex');
    const ask = async (method: string, params: object = {}): Promise<Record<string, unknown>> => {
      const [answer] = await client.messages({ id: method, method, params });
      expect(JSON.stringify(answer), method).not.toMatch(/\\u/);
      for (const text of textsIn(answer)) expect(text, method).not.toMatch(UNSEEN);
      return (answer?.result ?? {}) as Record<string, unknown>;
    };
    const cut = expect.stringMatching(/^Reads it\. x+… \(cut\)$/);
    expect(await ask('prompts/list')).toEqual({
      prompts: [
        { name: 's_greet', title: 'Title', description: cut, arguments: [{ name: 'who', description: 'Whom' }] },
      ],
    });
    expect(await ask('resources/list')).toMatchObject({
      resources: [{ uri: 'junctor://s/demo://note', name: 'note', title: 'Title', description: cut }],
    });
    expect(await ask('prompts/get', { name: 's_greet', arguments: { who: 'Ada' } })).toMatchObject({
      messages: [{ content: { text: 'Say hello.' } }],
    });
    expect(await ask('resources/read', { uri: 'junctor://s/demo://note' })).toMatchObject({
      contents: [{ uri: 'junctor://s/demo://note', text: 'what it says' }],
    });
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    expect((await ask('initialize', hello)).instructions).toBe('## s\n\nBe good.');
  } finally {
    await server.close();
  }
});

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

import { promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { ASKING, answer, resultOf, said, waiting, withHub } from './asking.ts';
import { type AnyHub, rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

/** With work that grows like its square, each of these holds the hub for minutes. */
const MANY = 900_000;

describe('arguments that an agent chooses', () => {
  promise('12.6a', 'and that look like the beginning of a credential hold nobody up', async () => {
    await withHub(async hub => {
      const agent = await RawClient.open(hub, '/mcp/codex');
      const text = `authorization:${' '.repeat(MANY)}!`;
      const call = agent.call(1, 'demo_echo', { text });
      const [open] = await waiting(hub, 1);
      expect(JSON.parse((await readable(hub, open?.id)).text)).toEqual({ text });
      await answer(hub, open?.id ?? '', { answer: 'once' });
      expect(resultOf(await call)).toEqual(said(text));
    });
  });

  promise('12.6b', 'are held against rules with several stars without holding anybody up', async () => {
    const config = {
      version: 1,
      servers: { safe: trusted(testServer()) },
      permissions: { deny: ['mcp__safe__echo(text=*http*internal*admin)'] },
    };
    await withHub(
      async hub => {
        const agent = await RawClient.open(hub, '/mcp/codex');
        const text = 'httpinternal'.repeat(MANY / 12);
        expect(resultOf(await agent.call(1, 'safe_echo', { text }))).toEqual(said(text));
        expect(resultOf(await agent.call(2, 'safe_echo', { text: `${text}admin` }))).toMatchObject({ isError: true });
      },
      { config },
    );
  });

  promise('12.6c', 'above 1 MiB are shown with both ends, their length and SHA-256', async () => {
    await withHub(
      async hub => {
        const agent = await RawClient.open(hub, '/mcp/codex');
        const text = `begin${'a'.repeat(3 * 1024 * 1024)}; rm -rf /end`;
        const call = agent.call(1, 'demo_echo', { text });
        const [open] = await waiting(hub, 1);
        const { text: shown, complete } = await readable(hub, open?.id);
        expect(complete).toBe(false);
        expect(shown.length).toBeLessThan(1024 * 1024);
        expect(shown).toMatch(
          /^\{"text":"begina+… \(\d+ of 3145746 characters left out; SHA-256 of all arguments [0-9a-f]{64}\) …a+; rm -rf \/end"\}$/,
        );
        await answer(hub, open?.id ?? '', { answer: 'deny' });
        expect(resultOf(await call)).toMatchObject({ isError: true });
        expect((await rest(hub, '/api/status')).status).toBe(200);
      },
      { config: ASKING },
    );
  });
});

/** What the person who is asked reads. */
async function readable(hub: AnyHub, id: string | undefined): Promise<{ text: string; complete: boolean }> {
  return (await rest(hub, `/api/approvals/${id}/arguments`)).body;
}

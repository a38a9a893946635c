import { promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { answer, waiting } from '../hub/asking.ts';
import { describedRest, readOpenApi } from '../hub/openapi.ts';
import { RawClient } from '../hub/rpc.ts';
import { open, violations, visit } from './browser.ts';

const CONFIG = {
  version: 1,
  servers: { demo: trusted(testServer()) },
  permissions: { ask: ['mcp__demo__*'] },
};

/** Stands in the place of the browser's own, which shows nothing where there is no screen. */
const NOTED = `window.noted = []; window.Notification = class { static permission = 'default';
  static async requestPermission() { window.asked = (window.asked ?? 0) + 1; return (this.permission = 'granted'); }
  constructor(title, { body }) { window.noted.push(title + ': ' + body); } close() {} };`;

describe('the inbox on the page', () => {
  promise(
    ['5.8h', '7.3c', '7.3f', '7.3g'],
    'is answered with keys; what always would store is shown first, and can be taken back',
    async context => {
      await visit(context, CONFIG, async ({ hub, page }) => {
        await page.addInitScript(NOTED);
        await page.reload();
        const client = await RawClient.open(hub, '/mcp/codex');
        const other = await RawClient.open(hub, '/mcp/gemini');
        const early = client.call(1, 'demo_echo', { text: '/tmp/a' });
        const [first] = await waiting(hub);
        await answer(hub, first?.id ?? '', { answer: 'once' });
        await early;
        await open(page, 'Approvals');
        await page.getByText('No call waits for a yes.').waitFor();
        expect(await page.evaluate('window.asked'), 'nobody is asked unbidden').toBeUndefined();
        await page.getByRole('switch', { name: /Notify me/ }).click();
        await page.getByRole('switch', { name: /Notify me.*on/ }).waitFor();

        const one = client.call(2, 'demo_echo', { text: '/tmp/b' });
        await waiting(hub);
        const two = other.call(3, 'demo_echo', { text: 'x\u202Ey' });
        await waiting(hub, 2);
        await page.getByRole('heading', { name: 'gemini wants to call echo of demo' }).waitFor();
        await expect.poll(() => page.title()).toBe('(2) Junctor');
        await expect
          .poll(() => page.evaluate('window.noted'))
          .toEqual([
            'codex waits for a yes: It wants to call echo of demo.',
            'gemini waits for a yes: It wants to call echo of demo.',
          ]);
        const ofCodex = page.getByRole('article').first();
        const ofGemini = page.getByRole('article').nth(1);
        await ofGemini.getByText('x\\u202ey').waitFor();
        await ofGemini.getByText('The server says: it changes nothing (its own words: nobody checks them).').waitFor();

        await page.reload();
        const pattern = ofCodex.getByLabel('Only for such arguments');
        await pattern.fill('text=/var/**');
        await ofCodex.getByText('it does not cover this call').waitFor();
        await ofCodex.getByRole('button', { name: 'text=/tmp/**' }).click();
        await ofCodex.getByText('mcp__demo__echo(text=/tmp/**)').waitFor();
        await ofCodex.getByText('Of the last 1 calls of this tool it covers 1.').waitFor();
        expect(await violations(page)).toEqual([]);
        const read = describedRest(await readOpenApi(hub));
        const { id } = (await waiting(hub, 2))[0] as { id: string };
        expect((await read(hub, `/api/approvals/${id}/preview?when=text`)).body.problem).toContain('write it as');

        await ofCodex.focus();
        await page.keyboard.press('j');
        await page.keyboard.press('d');
        expect(JSON.stringify((await two).at(-1)?.result)).toContain('denied');
        await page.getByRole('heading', { name: /gemini wants/ }).waitFor({ state: 'detached' });
        await ofCodex.focus();
        await page.keyboard.press('a');
        expect(JSON.stringify((await one).at(-1)?.result)).toContain('/tmp/b');
        await page.getByText('No call waits for a yes.').waitFor();
        await expect.poll(() => page.title()).toBe('Junctor');
        expect(JSON.stringify((await client.call(4, 'demo_echo', { text: '/tmp/c' })).at(-1)?.result)).toContain(
          '/tmp/c',
        );

        await page.getByRole('row', { name: /demo.*echo.*text=\/tmp/ }).waitFor();
        await page.getByRole('button', { name: 'Ask again about echo' }).click();
        await page.getByRole('row', { name: /demo.*echo/ }).waitFor({ state: 'detached' });
        const again = client.call(5, 'demo_echo', { text: '/tmp/d' });
        await page.getByRole('article').waitFor();
        // Keys answer a new question only after a moment.
        await expect
          .poll(async () => {
            await page.keyboard.press('o');
            return page.getByRole('article').count();
          })
          .toBe(0);
        expect(JSON.stringify((await again).at(-1)?.result)).toContain('/tmp/d');
      });
    },
  );

  promise('12.6q', 'a key that was meant for a question which vanished does not answer the next one', async context => {
    await visit(context, CONFIG, async ({ hub, page }) => {
      const client = await RawClient.open(hub, '/mcp/codex');
      const other = await RawClient.open(hub, '/mcp/gemini');
      const one = client.call(1, 'demo_echo', { text: 'harmless' });
      const [first] = await waiting(hub);
      const two = other.call(1, 'demo_echo', { text: 'harmful' });
      await waiting(hub, 2);
      await open(page, 'Approvals');
      await page.getByRole('heading', { name: 'gemini wants to call echo of demo' }).waitFor();
      await page.getByRole('article').first().focus();
      // As fast as a finger that was on its way when the mark moved.
      await page.evaluate(`document.addEventListener('focusin', ({ target }) => {
        if (target.tagName !== 'ARTICLE') return;
        window.pressed = (window.pressed ?? 0) + 1;
        target.dispatchEvent(new KeyboardEvent('keydown', { key: 'o', bubbles: true }));
      })`);
      await answer(hub, first?.id ?? '', { answer: 'deny' });
      await one;
      await expect.poll(() => page.evaluate('window.pressed')).toBe(1);
      const held = `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'o', repeat: true, bubbles: true }))`;
      await page.evaluate(held);
      expect(await waiting(hub, 1)).toMatchObject([{ agent: 'gemini' }]);
      await expect
        .poll(async () => {
          await page.keyboard.press('o');
          return page.getByRole('article').count();
        })
        .toBe(0);
      expect(JSON.stringify((await two).at(-1)?.result)).toContain('harmful');
    });
  });
});

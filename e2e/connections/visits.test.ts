import { describe, expect, test } from 'vitest';
import { asking, hostFor } from './asking-host.ts';

describe('pages that a server wants visited before a call', () => {
  const pages = [
    { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: 'e1' },
    { mode: 'url', message: 'Agree', url: 'https://example.com/terms', elicitationId: 'e2' },
  ];

  test('are shown one after the other, and the call is made again', async () => {
    const seen: unknown[] = [];
    await using fixture = await hostFor(asking(), {
      elicit: async question => {
        if (question.mode !== 'url') return { action: 'cancel' };
        seen.push([question.url, question.holdsCall]);
        return { action: 'accept' };
      },
    });
    expect(await fixture.call('visit', { pages, times: 1 })).toBe('done');
    expect(seen).toEqual([
      ['https://example.com/in', true],
      ['https://example.com/terms', true],
    ]);
  });

  test('that nobody visits leave the call undone, and the error names them', async () => {
    await using declined = await hostFor(asking(), { elicit: () => ({ action: 'decline' }) });
    await using nobody = await hostFor(asking());
    for (const fixture of [declined, nobody]) {
      await expect(fixture.call('visit', { pages, times: 1 })).rejects.toMatchObject({
        code: 'input_required',
        message: "'visit' on server 'x' needs a page visited first.",
        why: 'the server named: https://example.com/in https://example.com/terms',
      });
    }
    await using insatiable = await hostFor(asking(), { elicit: () => ({ action: 'accept' }) });
    await expect(insatiable.call('visit', { pages, times: 9 })).rejects.toMatchObject({ code: 'input_required' });
  });

  test('are told to be done by the server, to those who were sent there', async () => {
    const done = Promise.withResolvers<string>();
    await using fixture = await hostFor(asking(), {
      elicit: question => {
        if (question.mode === 'url') void question.completed.then(() => done.resolve(question.url));
        return { action: 'accept' };
      },
    });
    await fixture.ask('elicitation/create', pages[0]);
    for (const elicitationId of ['unknown', 'e1', 'e1']) {
      await fixture.call('say', { method: 'notifications/elicitation/complete', params: { elicitationId } });
    }
    expect(await done.promise).toBe('https://example.com/in');
    expect(fixture.events.filter(({ type }) => type === 'elicitation-complete')).toEqual([
      { type: 'elicitation-complete', server: 'x', elicitation_id: 'e1' },
    ]);
  });
});

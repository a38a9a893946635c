import { visibleText } from '@junctor/core/light';
import { defineCommand } from '../command.ts';
import { HubRest } from '../hub/hub-rest.ts';
import { wholeNumber } from '../number-option.ts';
import { pointInTime, shownTime } from '../output/shown-time.ts';
import { oneLine, table } from '../output/table.ts';

interface Act {
  readonly at: string;
  readonly act: string;
  readonly target: string;
  readonly person: string | null;
  readonly made_with: string;
  readonly via: string;
  readonly address: string;
  readonly outcome: string;
}

const SHOWN_TARGET = 40;

export const audit = defineCommand({
  options: {
    act: { value: 'ACT', help: 'only such acts: token.create, or token for all of its kind' },
    person: { value: 'NAME', help: 'only acts of this person' },
    since: { value: 'DATE', help: 'only acts from then on: a day or a time in UTC, as the table shows it' },
    until: { value: 'DATE', help: 'only acts before' },
    limit: { value: 'NUMBER', help: 'at most so many (default: 100)' },
  },
  details: `Every change over REST and on the page is written down: tokens, servers, rules, executors, secrets by name, locks and
approvals. --json shows what was there before and after, secrets masked. Calls of tools are listed by junctor calls.`,
  async run(context, { options: { act, person, since, until, limit } }) {
    const most = wholeNumber('limit', limit, { to: 1000 });
    const given = { act, person, since: pointInTime('since', since), until: pointInTime('until', until), limit: most };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, String(value));
    const hub = await HubRest.open(context);
    const found = await hub.ask<{ acts: readonly Act[] }>(`/api/audit?${query}`);
    context.answer({ json: found, text: found.acts.length === 0 ? 'no acts' : actTable(found.acts) });
    return 0;
  },
});

function actTable(acts: readonly Act[]): string {
  return table(
    ['TIME', 'PERSON', 'WITH', 'FROM', 'ACT', 'TARGET', 'RESULT'],
    acts.map(({ at, person, made_with, via, address, act, target, outcome }) => [
      shownTime(at),
      visibleText(person ?? '-'),
      made_with,
      `${via} ${address}`.trim(),
      act,
      oneLine(visibleText(target), SHOWN_TARGET) || '-',
      outcome,
    ]),
  );
}

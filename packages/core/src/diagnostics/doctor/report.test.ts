import { expect, test } from 'vitest';
import type { Finding } from './finding.ts';
import { doctorReport, serverReport } from './report.ts';

const well: Finding = { step: 'config', outcome: 'ok', detail: '' };
const slow: Finding = { step: 'greeted', outcome: 'warn', detail: '', fix: 'hurry' };
const signedOut: Finding = { step: 'auth', outcome: 'no', detail: '', person: true, fix: 'sign in' };
const dead: Finding = { step: 'greeted', outcome: 'no', detail: '', fix: 'bury it' };

test.each([
  ['all is well', [[well]], 'well', []],
  ['something could be better', [[well, slow]], 'well', ['hurry']],
  ['only a person is missing', [[well, slow, signedOut]], 'person', ['sign in', 'hurry']],
  ['something is broken', [[well], [well, slow], [signedOut], [well, dead]], 'broken', ['bury it', 'sign in', 'hurry']],
  ['two steps say the same', [[dead, { ...dead, step: 'eras' as const }]], 'broken', ['bury it']],
])('where %s', (_title, servers, verdict, fix) => {
  const reports = servers.map((steps, index) => serverReport(`server-${index}`, steps));
  const report = doctorReport(reports, [], []);
  expect([report.verdict, report.fix.map(one => one.fix)]).toEqual([verdict, fix]);
  expect(report.servers.map(({ id }) => id)).toEqual(reports.map(({ id }) => id));
});

test('problems of files come first, orphans last and without a verdict', () => {
  const orphan = { pid: 7, command: 'node server.js', owner: 6 };
  const file = { text: 'x.json: not JSON', fix: 'mend x.json' };
  expect(doctorReport([serverReport('a', [dead])], [file], [orphan])).toMatchObject({
    verdict: 'broken',
    fix: [
      { fix: 'mend x.json' },
      { server: 'a', fix: 'bury it' },
      { fix: 'end what a Junctor that was killed left behind: kill 7' },
    ],
  });
  expect(doctorReport([], [], [orphan]).verdict).toBe('well');
  expect(doctorReport([], [{ ...file, person: true }], null)).toMatchObject({ verdict: 'person', orphans: null });
});

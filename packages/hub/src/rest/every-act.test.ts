import { expect, test } from 'vitest';
import { STATES } from './act-states.ts';
import { allRoutes } from './routes/routes.ts';

const changing = allRoutes().filter(({ method }) => method !== 'get');

test('every route that changes something is written down under a name of its own', () => {
  const missing = changing.filter(({ act, changesNothing }) => act === undefined && !changesNothing);
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  const names = changing.flatMap(({ act }) => act ?? []);
  expect(names).toHaveLength(new Set(names).size);
});

test('only what reads, or is written down elsewhere, changes nothing', () => {
  const reading = changing.filter(({ changesNothing }) => changesNothing);
  expect(reading.map(({ path }) => path).sort()).toEqual([
    '/api/calls',
    '/api/imports/preview',
    '/api/resolve',
    '/api/servers/{id}/check',
  ]);
});

test('what is described before and after is an act', () => {
  const names = new Set(changing.map(({ act }) => act));
  expect(Object.keys(STATES).filter(name => !names.has(name))).toEqual([]);
});

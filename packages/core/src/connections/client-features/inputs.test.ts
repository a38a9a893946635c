import { expect, test } from 'vitest';
import { JunctorError } from '../../base/error.ts';
import { MethodNotFound, Refusal } from './answers.ts';
import { type InputRequired, InputRounds, withInputs } from './inputs.ts';

const NEVER = new AbortController().signal;
const limits = { spentMs: 0, totalMs: 60_000, pauseMs: 0 };
const required = (more: object = {}) => ({ resultType: 'input_required', ...more }) as InputRequired;
const roots = { folders: { method: 'roots/list', params: { a: 1 } } };
const echo = { server: 'x', ask: async (method: string, params: unknown) => ({ method, params }) };

const answered = { inputResponses: { folders: { method: 'roots/list', params: { a: 1 } } } };
const unasked = { inputResponses: {} };

test.for([
  ['questions and a state', { inputRequests: roots, requestState: 's' }, { ...answered, requestState: 's' }],
  ['questions alone', { inputRequests: roots }, answered],
  ['a state alone', { requestState: 's' }, { ...unasked, requestState: 's' }],
  ['nothing', {}, unasked],
  ['null for what is absent', { inputRequests: null }, unasked],
] as const)('a round with %s', async ([, asked, inputs]) => {
  expect(await new InputRounds(echo, limits).next(required(asked), NEVER)).toEqual(inputs);
});

test.for([
  ['a word', 'roots', 'its inputRequests are no object'],
  ['a list', [roots.folders], 'its inputRequests are no object'],
  ['an entry that is nothing', { a: null }, 'one of its inputRequests names no method'],
] as const)('malformed questions are named: %s', async ([, inputRequests, why]) => {
  const round = new InputRounds(echo, limits).next(required({ inputRequests }), NEVER);
  await expect(round).rejects.toMatchObject({ code: 'malformed_response', why });
});

test.for([
  ['nobody can be asked', new MethodNotFound('no'), 'input_required'],
  ['the client says no', new Refusal(-1, 'no'), 'permission_denied'],
  ['answering fails', new Error('no'), 'internal'],
] as const)('where %s, the call cannot go on, and has reached its server', async ([, thrown, code]) => {
  const ask = () => Promise.reject(thrown);
  const round = new InputRounds({ server: 'x', ask }, limits).next(required({ inputRequests: roots }), NEVER);
  await expect(round).rejects.toMatchObject({ code, outcome: 'unknown' });
});

test('20 rounds are answered, and no more', async () => {
  let sent = 0;
  const send = async () => {
    sent++;
    return required();
  };
  const rounds = new InputRounds(echo, limits);
  await expect(withInputs(required(), {}, { rounds, signal: NEVER, send })).rejects.toMatchObject({
    code: 'malformed_response',
    message: "Server 'x' asked for inputs 20 times in one call.",
  });
  expect(sent).toBe(20);
});

test('the time covers what the first answer took, and withdraws the question that is open', async () => {
  const withdrawn = Promise.withResolvers<void>();
  const ask = (_method: string, _params: unknown, signal: AbortSignal) => {
    signal.addEventListener('abort', () => withdrawn.resolve());
    return new Promise(() => {});
  };
  const rounds = new InputRounds({ server: 'x', ask }, { spentMs: 59_990, totalMs: 60_000 });
  const round = rounds.next(required({ inputRequests: roots }), NEVER);
  await expect(round).rejects.toMatchObject({ code: 'timeout', outcome: 'unknown' });
  await withdrawn.promise;
});

test('a round ends when nobody waits for the call any more', async () => {
  const left = new AbortController();
  const rounds = new InputRounds(echo, { spentMs: 0, totalMs: 60_000, pauseMs: 30_000 });
  const round = rounds.next(required(), left.signal);
  left.abort();
  await expect(round).rejects.toMatchObject({ code: 'cancelled', outcome: 'unknown' });
});

test('what fails in a later round is not taken for a call that never left', async () => {
  const send = () => Promise.reject(new JunctorError('connection_lost', 'gone', { unsent: true }));
  const rounds = new InputRounds(echo, limits);
  await expect(withInputs(required(), {}, { rounds, signal: NEVER, send })).rejects.toMatchObject({
    code: 'connection_lost',
    unsent: false,
    outcome: 'unknown',
  });
});

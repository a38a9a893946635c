/** The messages with which a fuzzed server answers one request of one case. */
import { caseMark, type FuzzEra } from './case.ts';
import { Dice } from './dice.ts';
import { mutate } from './mutate.ts';
import { badBytes, respelled, spoiled } from './spelling.ts';
import { notifications, questions, validResult } from './valid-answers.ts';

export interface AskedRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

export interface FuzzedAnswer {
  /** Notifications and requests that come before the answer. */
  readonly before: readonly Buffer[];
  /** Undefined: there is no answer, and the request has to run into its time limit. */
  readonly answer: Buffer | undefined;
}

/** A server that asks without end does so this often: a hub gives up long before. */
export const ENDLESS_ROUNDS = 60;

/** Results that are no results, or of another kind than was asked for. */
const WRONG_RESULTS: readonly unknown[] = [
  ...[null, [], 'text', 0, {}, { content: null }, { content: [null] }, { content: {} }, { messages: [null] }],
  ...[
    { contents: [null] },
    { contents: 'x' },
    { completion: null },
    { completion: { values: null } },
    { tools: [null] },
  ],
  ...[{ prompts: [null], resources: [null], resourceTemplates: [null] }, { resultType: null }, { resultType: 'later' }],
  ...[{ resultType: 'input_required' }, { resultType: 'input_required', inputRequests: null, requestState: 7 }],
  ...[
    { task: { taskId: 't', status: 'working', ttl: 1000, createdAt: 'x', lastUpdatedAt: 'x' } },
    { structuredContent: null },
  ],
  ...[
    { tools: [], nextCursor: 'again' },
    { tools: [], nextCursor: '' },
    { tools: [], nextCursor: 7 },
  ],
];

/** `round`: how often this case was asked for before. */
export function fuzzedAnswer(
  { seed, number, era, round }: { seed: number; number: number; era: FuzzEra; round: number },
  request: AskedRequest,
): FuzzedAnswer {
  if (round >= ENDLESS_ROUNDS) return { before: [], answer: properAnswer(seed, number, era, request) };
  const dice = new Dice(seed ^ 0x5eed, number);
  const before = beforehand(era, request, dice);
  if (dice.chance(0.01)) return { before, answer: undefined };
  const asks = era === 'modern' && dice.chance(0.15) ? asking(dice, round, caseMark(number)) : undefined;
  const result =
    asks ?? (dice.chance(0.2) ? dice.pick(WRONG_RESULTS) : validResult(request.method, era, dice, caseMark(number)));
  return { before, answer: written(envelope(request, result, dice), dice) };
}

/** The same request, answered as it should be. */
export function properAnswer(seed: number, number: number, era: FuzzEra, request: AskedRequest): Buffer {
  const result = validResult(request.method, era, new Dice(seed, number), caseMark(number));
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: request.id, result }));
}

function envelope({ id }: AskedRequest, result: unknown, dice: Dice): object {
  const kind = dice.weighted({ result: 16, error: 3, both: 1, neither: 0.3, errorNull: 1, keyed: 1, otherId: 0.4 });
  const error = dice.pick([
    { code: -32000, message: 'no', data: { a: [1] } },
    {
      code: -32042,
      message: 'visit',
      data: { elicitations: [{ mode: 'url', url: 'https://example.com', elicitationId: 'e', message: 'm' }] },
    },
    { code: -32602, message: 'Unknown tool: call' },
    { code: -32601, message: 'Method not found' },
    { code: -32002, message: 'Resource not found', data: { uri: 'fuzz://note' } },
    ...[null, 'text', {}, { code: '7', message: null }, { code: 1e300, message: 'x' }, []],
  ]);
  if (kind === 'error') return { jsonrpc: '2.0', id, error };
  if (kind === 'both') return { jsonrpc: '2.0', id, result, error };
  if (kind === 'errorNull') return { jsonrpc: '2.0', id, result, error: null };
  if (kind === 'neither') return { jsonrpc: '2.0', id };
  if (kind === 'keyed')
    return dice.pick<object>([
      { x: 0, jsonrpc: '2.0', id, result },
      { result, id, jsonrpc: '2.0' },
      { id, result },
    ]);
  if (kind === 'otherId') {
    const other = dice.pick<unknown>([null, String(id), -1, 1e300, [id], { id }, Number(id) + 1, undefined]);
    return { jsonrpc: '2.0', id: other, result };
  }
  return { jsonrpc: '2.0', id, result };
}

/** Damage to the envelope mostly costs the id, and so the answer: it is rarer than damage to the result. */
function written(message: object, dice: Dice): Buffer {
  const nodes = dice.pick([0, 1, 1, 2, 3]);
  const whole = dice.chance(0.08);
  const damage = { nodes, unparsable: dice.chance(0.03) };
  const text = whole ? mutate(message, dice, damage) : withResult(message, value => mutate(value, dice, damage));
  const spelled = respelled(text, dice);
  if (dice.chance(0.04)) return spoiled(spelled, dice);
  return dice.chance(0.05)
    ? Buffer.concat([Buffer.from(spelled.slice(0, -1)), badBytes(dice), Buffer.from('}')])
    : Buffer.from(spelled);
}

function withResult(message: object, write: (value: unknown) => string): string {
  const fields = Object.entries(message).filter(([, value]) => value !== undefined);
  const texts = fields.map(([key, value]) => {
    const damaged = key === 'result' || key === 'error' ? write(value) : JSON.stringify(value);
    return `${JSON.stringify(key)}:${damaged}`;
  });
  return `{${texts.join(',')}}`;
}

/** Asks once, a few times or without end. */
function asking(dice: Dice, round: number, mark: string): object | undefined {
  if (round >= dice.pick([1, 1, 2, ENDLESS_ROUNDS])) return undefined;
  const asked = Object.fromEntries(questions(dice).map((question, index) => [`q${index}`, question]));
  const inputRequests = dice.pick<unknown>([asked, asked, asked, {}, { q: null }, { q: { method: 7 } }, [], undefined]);
  return { resultType: 'input_required', inputRequests, requestState: `${mark}r${round + 1}` };
}

function beforehand(era: FuzzEra, { params = {} }: AskedRequest, dice: Dice): Buffer[] {
  const messages: object[] = [];
  const token = (params._meta as { progressToken?: unknown } | undefined)?.progressToken;
  while (dice.chance(0.25)) messages.push(notifications(dice, token));
  // A server of the modern era has no requests of its own; one that sends them all the same must do no harm either.
  if (dice.chance(era === 'legacy' ? 0.15 : 0.02))
    for (const question of questions(dice))
      messages.push({ id: dice.pick<unknown>([dice.below(1e6), 'q', -1, null]), ...question });
  return messages.map(message => {
    const damage = { nodes: dice.pick([0, 1, 1, 2]), unparsable: dice.chance(0.05) };
    const text = respelled(mutate({ jsonrpc: '2.0', ...message }, dice, damage), dice);
    return dice.chance(0.05) ? spoiled(text, dice) : Buffer.from(text);
  });
}

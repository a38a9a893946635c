/** Servers that do what a server should not: each costs itself what must be, and the server beside it nothing. */
import type { RequestListener } from 'node:http';
import {
  badGateway,
  endlessStream,
  floodedStream,
  inCircles,
  locked,
  lockedBehindSignIn,
  loginPage,
  type MisbehavingHttp,
  misbehaving,
  redirectTo,
  serveMisbehaving,
  skewedClock,
  wantsSlash,
} from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { type Case, error, hostBeside, tryOut } from './beside-a-good-one.ts';
import { floodingSocket } from './flooding-socket.ts';

/** For the tool that is never answered; the others have all the time they need. */
const SHORT = { tool_timeouts_ms: { wrong: 600, wait: 600 } };

const OVER_STDIO: readonly Case[] = [
  {
    name: 'talks garbage on stdout',
    server: misbehaving('talks-garbage'),
    attempt: async ({ call }) => [await call('broken'), await call('echo', { text: 'hi' })],
    outcome: [error('malformed_response', "Server 'bad' answered something that is not JSON-RPC."), 'hi'],
    state: 'ready',
  },
  {
    name: 'sends a line above max_message_bytes',
    server: { ...misbehaving('oversized'), max_message_bytes: 1024 * 1024 },
    attempt: async ({ call }) => [await call('long'), await call('echo')],
    outcome: [error('message_too_large', /^Server 'bad' sent a message of 268\d{6} bytes\.$/), ''],
    state: 'ready',
    // Half of that one line.
    withinMiB: 128,
  },
  {
    name: 'sends a line that never ends',
    server: { ...misbehaving('oversized'), max_message_bytes: 1024 * 1024, tool_timeout_ms: 1500 },
    attempt: ({ call }) => call('endless'),
    outcome: error('timeout', /^Server 'bad' did not answer tools\/call within \d+ ms\.$/),
    state: 'ready',
    // It pours out hundreds of them: what is not yet collected is all that is held.
    withinMiB: 128,
  },
  {
    name: 'never answers a greeting',
    server: { ...misbehaving('never-answers'), connect_timeout_ms: 600 },
    attempt: ({ list }) => list(),
    outcome: error('timeout', "Server 'bad' did not start within 600 ms."),
    state: 'error',
  },
  {
    name: 'answers twice',
    server: misbehaving('answers-twice'),
    attempt: async ({ call }) => [await call('echo', { text: 'one' }), await call('echo', { text: 'two' })],
    outcome: ['one', 'two'],
    state: 'ready',
  },
  {
    name: 'answers under ids nobody used',
    server: { ...misbehaving('wrong-id'), ...SHORT },
    attempt: async ({ call }) => [await call('wrong'), await call('right')],
    outcome: [error('timeout', /^Server 'bad' did not answer tools\/call within \d+ ms\.$/), 'ok'],
    state: 'ready',
  },
  {
    name: 'ends in the middle of a message',
    server: misbehaving('dies-on-stdout', '--greets'),
    attempt: async ({ call, list }) => [await call('stop'), await list()],
    outcome: [error('connection_lost', "Server 'bad' exited with code 0."), ['stop']],
    state: 'ready',
  },
  {
    name: 'says everything one byte at a time',
    server: misbehaving('drips'),
    attempt: ({ call }) => call('drip'),
    outcome: 'ä'.repeat(200),
    state: 'ready',
  },
  {
    name: 'gives the same cursor for ever',
    server: misbehaving('bad-catalogue', '--endless'),
    attempt: ({ list }) => list(),
    outcome: error('malformed_response', "Server 'bad' never ends its list of tools."),
    state: 'ready',
  },
  {
    name: 'gives a new cursor for ever',
    server: misbehaving('endless-cursor'),
    attempt: ({ list }) => list(),
    outcome: error('malformed_response', "Server 'bad' never ends its list of tools."),
    state: 'ready',
  },
  {
    name: 'changes its tools while they are listed',
    server: misbehaving('changes-while-listing'),
    attempt: ({ list }) => list(),
    outcome: ['version_2'],
    state: 'ready',
  },
  {
    name: 'changes its tools each time they are listed',
    server: misbehaving('changes-while-listing', '--always'),
    attempt: async ({ list, call }) => [Array.isArray(await list()), await call('version_1')],
    outcome: [true, error('tool_not_found', "Server 'bad' has no tool 'version_1'.")],
    state: 'ready',
  },
  {
    name: 'lists one name twice',
    server: misbehaving('duplicate-tools'),
    attempt: ({ list }) => list(),
    outcome: ['other', 'same'],
    state: 'ready',
  },
  {
    name: 'floods with 100,000 log messages during a call',
    server: misbehaving('floods'),
    attempt: ({ call }) => call('flood'),
    outcome: 'done',
    state: 'ready',
    withinMiB: 96,
  },
  {
    name: 'asks 60,000 questions during a call, and reads no answer',
    server: misbehaving('asks-endlessly'),
    attempt: ({ call }) => call('ask'),
    outcome: 'done',
    state: 'ready',
    // All the answers would be 240.
    withinMiB: 128,
  },
  {
    name: 'has 10,000 tools',
    server: misbehaving('many-tools'),
    attempt: async ({ list, call }) => [((await list()) as string[]).length, await call('tool_9999')],
    outcome: [10_000, 'called tool_9999'],
    state: 'ready',
    withinMiB: 128,
  },
  {
    name: 'has descriptions of a megabyte',
    server: misbehaving('many-tools', '--heavy'),
    attempt: async ({ list, call }) => [((await list()) as string[]).length, await call('tool_3')],
    outcome: [10, 'called tool_3'],
    state: 'ready',
    withinMiB: 128,
  },
];

/** The server that is talked to, and one at another origin that nobody named. */
interface Scene {
  readonly front: MisbehavingHttp;
  readonly foreign: MisbehavingHttp;
}

interface HttpCase extends Omit<Case, 'server' | 'outcome'> {
  readonly listener: (foreign: MisbehavingHttp) => RequestListener;
  readonly more?: object;
  readonly outcome: (scene: Scene) => unknown;
  /** A last look at what either was sent. */
  readonly afterwards?: (scene: Scene) => void;
}

const redirected = ({ front, foreign }: Scene) =>
  error('connection_failed', `Server 'bad' sends us from ${front.origin} to ${foreign.origin}.`);

const nothingWentAbroad = ({ foreign }: Scene) => expect(foreign.seen).toEqual([]);

const askedAtMostTwice = ({ front }: Scene) =>
  expect(front.seen.filter(({ method }) => method === 'POST').length).toBeLessThanOrEqual(2);

const OVER_HTTP: readonly HttpCase[] = [
  {
    name: 'answers with a web page',
    listener: () => loginPage,
    attempt: ({ list }) => list(),
    outcome: () => error('malformed_response', "Server 'bad' answered with a web page."),
    state: 'error',
  },
  {
    name: 'answers 502 with a web page',
    listener: () => badGateway,
    attempt: ({ list }) => list(),
    outcome: () => error('connection_failed', "Server 'bad' refused the request."),
    state: 'error',
  },
  ...[301, 302, 303, 307, 308].map(
    (status): HttpCase => ({
      name: `redirects to another origin with ${status}`,
      listener: foreign => redirectTo(foreign.url, status),
      more: { headers: { Authorization: 'Bearer for-the-front-only' } },
      attempt: ({ list }) => list(),
      outcome: redirected,
      state: 'error',
      afterwards: nothingWentAbroad,
    }),
  ),
  {
    name: 'redirects the older transport to another origin',
    listener: foreign => redirectTo(foreign.url, 302),
    more: { transport: 'sse', headers: { Authorization: 'Bearer for-the-front-only' } },
    attempt: ({ list }) => list(),
    outcome: redirected,
    state: 'error',
    afterwards: nothingWentAbroad,
  },
  {
    name: 'redirects the older transport to a path of its own',
    listener: () => redirectTo('/elsewhere', 301),
    more: { transport: 'sse' },
    attempt: ({ list }) => list(),
    outcome: () => error('connection_failed', "Server 'bad' has moved to /elsewhere."),
    state: 'error',
  },
  {
    name: 'redirects to a path of its own',
    listener: () => wantsSlash,
    attempt: async ({ list, call }) => [await list(), await call('echo', { text: 'hi' })],
    outcome: () => [['echo'], 'hi'],
    state: 'ready',
    // Told once where to go, we go there.
    afterwards: ({ front }) => expect(front.seen.filter(({ path }) => path === '/mcp')).toHaveLength(1),
  },
  {
    name: 'redirects in a circle',
    listener: () => inCircles,
    attempt: ({ list }) => list(),
    outcome: () => error('connection_failed', "Server 'bad' redirects in a circle."),
    state: 'error',
    afterwards: ({ front }) => expect(front.seen.length).toBeLessThan(20),
  },
  {
    name: 'streams for ever without the answer',
    listener: () => endlessStream,
    more: SHORT,
    attempt: async ({ call }) => [await call('wait'), await call('echo', { text: 'hi' })],
    outcome: () => [error('timeout', /^Server 'bad' did not answer tools\/call within \d+ ms\.$/), 'hi'],
    state: 'ready',
  },
  {
    name: 'floods the stream of a call with 100,000 log messages',
    listener: () => floodedStream,
    attempt: ({ call }) => call('flood'),
    outcome: () => 'done',
    state: 'ready',
    withinMiB: 96,
  },
  {
    name: 'answers 401 for ever, with no way to sign in',
    listener: () => locked,
    attempt: async ({ list }) => [await list(), await list(), await list()],
    outcome: () => Array(3).fill(error('connection_failed', "Server 'bad' refused the request: it wants credentials.")),
    state: 'error',
    afterwards: askedAtMostTwice,
  },
  {
    name: 'answers 401 for ever, and names a sign-in',
    listener: () => lockedBehindSignIn,
    attempt: async ({ list }) => [await list(), await list(), await list()],
    outcome: () => Array(3).fill(error('auth_required', "Server 'bad' asks you to sign in.")),
    state: 'auth_required',
    afterwards: askedAtMostTwice,
  },
  {
    name: 'answers 401 for ever to the token it was given',
    listener: () => lockedBehindSignIn,
    more: { headers: { Authorization: 'Bearer not-the-right-one' } },
    attempt: async ({ list }) => [await list(), await list(), await list()],
    outcome: () => Array(3).fill(error('auth_required', "Server 'bad' refused its Authorization header.")),
    state: 'auth_required',
    afterwards: askedAtMostTwice,
  },
  {
    name: 'lives in 1970 and names absurd times to live',
    listener: () => skewedClock(),
    attempt: async ({ list, call }) => [await list(), await list(), await call('echo')],
    outcome: () => [['echo'], ['echo'], 'ok'],
    state: 'ready',
  },
];

describe('a stdio server that', () => {
  test.each(OVER_STDIO)('$name', async row => {
    await using host = await hostBeside(row.server);
    await tryOut(host, row, row.outcome);
  });
});

describe('a WebSocket server that', () => {
  test('sends a message without an end', async () => {
    await using front = await floodingSocket();
    await using host = await hostBeside({ transport: 'ws', url: front.url, max_message_bytes: 1024 * 1024 });
    const row: Pick<Case, 'attempt' | 'state' | 'withinMiB'> = {
      attempt: async ({ call, list }) => [await call('flood'), await list()],
      state: 'ready',
      // Three times what is borne above the limit: much of it is not collected yet, on both sides of the socket.
      withinMiB: 192,
    };
    const lost = error('connection_lost', "Server 'bad' sent a message far above max_message_bytes.");
    await tryOut(host, row, [lost, ['flood']]);
  });
});

describe('an HTTP server that', () => {
  test.each(OVER_HTTP)('$name', async row => {
    await using foreign = await serveMisbehaving((_request, response) => response.writeHead(200).end());
    await using front = await serveMisbehaving(row.listener(foreign));
    await using host = await hostBeside({ transport: 'http', url: front.url, ...row.more });
    await tryOut(host, row, row.outcome({ front, foreign }));
    row.afterwards?.({ front, foreign });
  });
});

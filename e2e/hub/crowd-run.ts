/**
 * Many sessions on one shared process, each with calls of every kind at once. Whatever a session is answered, asked or told
 * carries its name, so that a message that went astray is seen.
 */
import type { RunningHub } from '@junctor/testkit';
import { type Peer, sdkPeer } from './sdk-peer.ts';

export interface CrowdOutcome {
  readonly calls: number;
  /** Every answer that was not the one its session waited for. */
  readonly wrong: readonly string[];
  /** What sessions heard and were asked that was not theirs, or not all of theirs. */
  readonly astray: readonly string[];
  readonly pids: ReadonlySet<string>;
}

const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';

/** `server` is shared by all; its tools are called by the names they have at an agent's door. Of several hubs each has a share. */
export async function crowdRun(
  hubs: RunningHub | readonly RunningHub[],
  server: string,
  {
    sessions,
    callsEach,
    agents = ['codex'],
  }: { readonly sessions: number; readonly callsEach: number; readonly agents?: readonly string[] },
): Promise<CrowdOutcome> {
  const houses = [hubs].flat();
  const hubOf = (index: number): RunningHub => houses[index % houses.length] as RunningHub;
  const peers = await Promise.all(
    Array.from({ length: sessions }, (_, index) =>
      sdkPeer(hubOf(index), `/mcp/${agents[index % agents.length]}`, { era: 'legacy', name: `s${index}` }),
    ),
  );
  try {
    await Promise.all(peers.map(({ client }) => client.setLoggingLevel('debug')));
    const [first] = peers;
    // What asks and logs is seen once, alone; from then on such calls are kept apart.
    for (const kind of KINDS) if (first) await oneCall(first, 's0', server, kind, -1);
    const wrong: string[] = [];
    const pids = new Set<string>();
    const expected = peers.map(() => ({ asked: 0, logged: 0 }));
    if (expected[0]) expected[0] = { asked: 3, logged: 1 };
    await Promise.all(
      peers.map(async (peer, index) => {
        const name = `s${index}`;
        const work = Array.from({ length: callsEach }, (_, number) => {
          const kind = KINDS[(number + index) % KINDS.length] as Kind;
          const counts = expected[index];
          if (counts && ASKING.has(kind)) counts.asked++;
          if (counts && kind === 'log') counts.logged++;
          return () => oneCall(peer, name, server, kind, number);
        });
        for (const problem of (await inLanes(work, 4)).flat()) wrong.push(problem);
        pids.add(textOf(await peer.client.callTool({ name: `${server}_pid`, arguments: {} })));
      }),
    );
    return {
      calls: sessions * (callsEach + 1),
      wrong,
      astray: peers.flatMap((peer, i) => strays(peer, i, expected[i])),
      pids,
    };
  } finally {
    await Promise.all(peers.map(peer => peer[Symbol.asyncDispose]()));
  }
}

const KINDS = ['echo', 'progress', 'person', 'echo', 'model', 'cancel', 'roots', 'echo', 'log', 'progress'] as const;
type Kind = (typeof KINDS)[number];
const ASKING = new Set<Kind>(['person', 'model', 'roots']);

async function oneCall({ client }: Peer, name: string, server: string, kind: Kind, number: number): Promise<string[]> {
  const call = (tool: string, args: Record<string, unknown>, options?: object) =>
    client.callTool({ name: `${server}_${tool}`, arguments: args }, options);
  const expectText = (got: unknown, wanted: string): string[] =>
    textOf(got) === wanted ? [] : [`${name} ${kind} ${number}: ${textOf(got)} instead of ${wanted}`];
  switch (kind) {
    case 'echo':
      return expectText(await call('echo', { text: `${name}-${number}` }), `${name}-${number}`);
    case 'person':
      return expectText(
        await call('ask_person', {}),
        JSON.stringify({ action: 'accept', content: { name, colour: 'blue' } }),
      );
    case 'model':
      return expectText(await call('ask_model', {}), `${name} says hello`);
    case 'roots':
      return expectText(await call('show_roots', {}), `file:///home/${name}`);
    case 'log':
      return expectText(
        await call('log', { level: 'warning', message: `${name}-${number}` }),
        'logged at level warning',
      );
    case 'cancel': {
      const giveUp = new AbortController();
      const ended = call('slow', { ms: 30_000 }, { signal: giveUp.signal }).then(
        () => [`${name} ${number}: a cancelled call was answered`],
        () => [],
      );
      setTimeout(() => giveUp.abort(), 5);
      return ended;
    }
    case 'progress': {
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
      const problems = expectText(
        await call('slow', { ms: 10 + (number % 5) }, { onprogress }),
        `waited ${10 + (number % 5)} ms`,
      );
      return seen.length === 10 ? problems : [...problems, `${name} ${number}: ${seen.length} of 10 steps`];
    }
  }
}

/** A few at a time, so that the calls of one session overlap too. */
async function inLanes(work: readonly (() => Promise<string[]>)[], lanes: number): Promise<string[][]> {
  const left = [...work];
  const done: string[][] = [];
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift())
      done.push(await next().catch(error => [`${(error as Error).message}`]));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return done;
}

function strays(
  { heard, asked }: Peer,
  index: number,
  expected: { asked: number; logged: number } | undefined,
): string[] {
  const lines = heard.filter(({ method }) => method === 'notifications/message');
  const foreign = lines.filter(({ params }) => !String((params as { data?: unknown }).data).startsWith(`s${index}-`));
  return [
    ...foreign.map(({ params }) => `s${index} heard ${JSON.stringify(params)}`),
    ...(lines.length === expected?.logged ? [] : [`s${index} heard ${lines.length} of ${expected?.logged} lines`]),
    ...(asked.length === expected?.asked ? [] : [`s${index} was asked ${asked.length} of ${expected?.asked} times`]),
  ];
}

/** A hub with 200 programs: starting and ending them holds up nobody for longer than a few do, and idle ones come back on use. */
import { startHub } from '@junctor/hub';
import { HUB_TOKEN, makeHome, promise, trusted } from '@junctor/testkit';
import { expect } from 'vitest';

const FEW = 5;
const MANY = 200;
const ROUNDS = 3;
const IDLE_MS = 5000;

/** The smallest server: a shell that answers line by line. So many of Node would starve the machine, and measure that. */
const SMALLEST = `
say() { printf '{"jsonrpc":"2.0","id":%s,%s}\\n' "$id" "$1"; }
while read -r line; do
  id=\${line#*'"id":'}; id=\${id%%[,\\}]*}
  case $line in
    *'"initialize"'*) say '"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
    *'"tools/list"'*) say '"result":{"tools":[{"name":"hello","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*) say '"result":{"content":[{"type":"text","text":"hello"}]}' ;;
    *'"ping"'*) say '"result":{}' ;;
    *'"id"'*) say '"error":{"code":-32601,"message":"Method not found"}' ;;
  esac
done`;

interface Blocks {
  readonly starting: number;
  readonly ending: number;
}

/** Starts a hub with so many servers, lets them end for lack of use, and says how long a turn of its event loop was at most. */
async function blocksWith(count: number): Promise<Blocks> {
  const definition = { ...trusted({ transport: 'stdio', command: '/bin/sh', args: ['-c', SMALLEST] }), mode: 'shared' };
  const ids = Array.from({ length: count }, (_, index) => `s${index}`);
  await using home = await makeHome();
  const surroundings = { cwd: home.project, home: home.path, env: home.env, platform: process.platform };
  const servers = Object.fromEntries(ids.map(id => [id, definition]));
  await home.write('config/junctor/config.json', { servers });
  using turns = watchTurns();
  await using hub = await startHub({
    hostOptions: { surroundings, data: home.data },
    dataDirectory: home.data,
    address: '127.0.0.1',
    port: 0,
    token: HUB_TOKEN,
    instances: { idleMs: IDLE_MS },
  });
  const inState = (state: string): number => hub.host.status().filter(one => one.state === state).length;
  // On a slow machine the first may end before the last has started.
  const started = new Set(hub.host.status().flatMap(({ id, state }) => (state === 'ready' ? [id] : [])));
  hub.host.events.on('state-changed', ({ server, state }) => void (state.kind === 'ready' && started.add(server)));
  await expect.poll(() => started.size, { timeout: 120_000, interval: 5 }).toBe(count);
  const starting = turns.longest();
  await expect.poll(() => inState('idle'), { timeout: 120_000, interval: 5 }).toBe(count);
  const ending = turns.longest();
  // Lists come from the catalogue: nothing is started for them.
  expect((await hub.host.tools()).length).toBe(count);
  expect(inState('idle')).toBe(count);
  const { output } = await hub.host.call({ server: 's0', tool: 'hello' }, {}, { ask: async () => true });
  expect([output, inState('ready')]).toEqual(['hello', 1]);
  return { starting, ending };
}

/**
 * The most CPU time that one turn of the event loop took since it was last asked, in milliseconds. Time on the clock would say
 * how busy the machine is.
 */
function watchTurns(): { longest(): number } & Disposable {
  let longest = 0;
  let before = process.threadCpuUsage();
  let watching = true;
  const turn = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
    if (watching) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    longest() {
      const found = longest;
      longest = 0;
      return found;
    },
    [Symbol.dispose]() {
      watching = false;
    },
  };
}

promise(
  '5.6f',
  'starting and ending 200 programs is spread over turns of the event loop; lists outlive idle ones',
  async () => {
    // What is loaded only once must not count for either.
    await blocksWith(1);
    const few: Blocks[] = [];
    const many: Blocks[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      few.push(await blocksWith(FEW));
      many.push(await blocksWith(MANY));
    }
    // A turn may collect garbage or wait for another program: the best round is what Junctor needs.
    const best = (rounds: readonly Blocks[], what: keyof Blocks): number => Math.min(...rounds.map(one => one[what]));
    const starting = best(many, 'starting') / best(few, 'starting');
    const ending = best(many, 'ending') / Math.max(best(few, 'ending'), best(few, 'starting'));
    console.log(
      `longest turn with ${MANY} programs × ${FEW}: starting ${starting.toFixed(2)}, ending ${ending.toFixed(2)}`,
    );
    // All of them in one turn would take MANY / FEW times as long. How close to 1 it comes depends on the machine.
    expect(Math.max(starting, ending)).toBeLessThan(MANY / FEW / 4);
  },
  600_000,
);

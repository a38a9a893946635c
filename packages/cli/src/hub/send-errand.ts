/** Has the running hub of a data directory run a command. It has loaded what the command would have to load first. */
import { connect, type Socket } from 'node:net';
import { dataDirectory, JunctorError, VERSION } from '@junctor/core/light';
import {
  type ErrandDone,
  type HubFile,
  machineView,
  type PipeAnswer,
  type PipeErrand,
  readHubFile,
} from '@junctor/hub/errand';
import type { Context } from '../context.ts';

/** A hub says at once that it has the errand; one that does not is stuck, and as good as none. */
const TAKEN_MS = 10_000;

/** Undefined where no hub runs it: none is there, it is another version, or its servers are not those of this command. */
export async function sendErrand(words: readonly string[], context: Context): Promise<ErrandDone | undefined> {
  const { surroundings, global, signal } = context;
  const hub = await readHubFile(dataDirectory(surroundings, global.data));
  if (hub?.version !== VERSION) return undefined;
  const { cwd, home, env, platform } = surroundings;
  const errand: PipeErrand = {
    ask: 'errand',
    token: hub.token,
    view: machineView(),
    words,
    surroundings: { cwd, home, env: { ...env }, platform },
  };
  const socket = connect(hub.socket);
  const giveUp = (): void => void socket.destroy();
  signal.addEventListener('abort', giveUp);
  try {
    const answer = await answerTo(socket, errand, hub);
    return answer && 'done' in answer ? answer.done : undefined;
  } finally {
    signal.removeEventListener('abort', giveUp);
    socket.destroy();
  }
}

/** The last line that the hub says. Undefined where it never had the errand. */
function answerTo(socket: Socket, errand: PipeErrand, { url }: HubFile): Promise<PipeAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    socket.setTimeout(TAKEN_MS, () => resolve(undefined));
    socket.once('data', () => socket.setTimeout(0));
    socket.on('data', (piece: Buffer) => pieces.push(piece));
    socket.on('error', () => {});
    socket.once('close', () => {
      const [first = '', last] = Buffer.concat(pieces).toString('utf8').split('\n');
      if (!first.includes('"taken"')) resolve(undefined);
      else if (last) resolve(JSON.parse(last));
      else reject(lost(url));
    });
    socket.write(`${JSON.stringify(errand)}\n`);
  });
}

function lost(url: string): JunctorError {
  return new JunctorError('connection_lost', `The hub at ${url} ended while it made the call.`, {
    why: 'whether the server acted on it is not known',
    hint: 'look what became of it before you call again: junctor calls, once a hub runs',
  });
}

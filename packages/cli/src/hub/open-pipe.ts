/** The way to a running hub that programs of this machine take: one line to be let in, then MCP, a message a line. */
import { connect, type Socket } from 'node:net';
import { errorFrom, JunctorError } from '@junctor/core/light';
import type { HubFile, PipeAnswer, PipeGreeting, PipeQuestion } from '@junctor/hub';

/** A hub answers at once; one that does not is stuck. */
const ANSWER_MS = 10_000;

/** Undefined where the hub is not there, still starting, or about to end: then it is worth to look again. */
export async function openPipe({ socket: path }: HubFile, greeting: PipeGreeting): Promise<Socket | undefined> {
  const socket = connect(path);
  const answer = await answerTo(socket, greeting);
  if (answer && 'open' in answer) return socket;
  socket.destroy();
  return undefined;
}

/** What each server is at the hub. Undefined where the hub is not there, or not ready. */
export async function askFingerprints({
  socket: path,
  token,
}: HubFile): Promise<ReadonlyMap<string, string> | undefined> {
  const socket = connect(path);
  const answer = await answerTo(socket, { ask: 'fingerprints', token });
  socket.destroy();
  return answer && 'fingerprints' in answer ? new Map(Object.entries(answer.fingerprints)) : undefined;
}

/** Refusals are thrown in the words of the hub. */
async function answerTo(socket: Socket, greeting: PipeGreeting | PipeQuestion): Promise<PipeAnswer | undefined> {
  try {
    const line = await firstLine(socket, `${JSON.stringify(greeting)}\n`);
    const answer = line === undefined ? undefined : (JSON.parse(line) as PipeAnswer);
    if (!answer || !('error' in answer)) return answer;
    throw errorFrom(answer.error);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** What the hub says first; undefined where it is gone. The rest of what it says is left to whoever reads on. */
function firstLine(socket: Socket, greeting: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let said = '';
    const settle = (line: string | undefined): void => {
      socket.setTimeout(0);
      socket.off('data', onData).off('close', onClose);
      socket.pause();
      resolve(line);
    };
    const onData = (chunk: Buffer): void => {
      said += chunk.toString('latin1');
      const end = said.indexOf('\n');
      if (end >= 0) settle(said.slice(0, end));
    };
    const onClose = (): void => settle(undefined);
    socket.on('error', () => {});
    socket.on('data', onData).once('close', onClose);
    socket.setTimeout(ANSWER_MS, () =>
      reject(
        new JunctorError('timeout', `The hub did not answer within ${ANSWER_MS / 1000} s.`, {
          hint: 'junctor hub stop, then try again',
        }),
      ),
    );
    socket.write(greeting);
  });
}

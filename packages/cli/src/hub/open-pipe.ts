/** The way to a running hub that programs of this machine take: one line to be let in, then MCP, a message a line. */
import { connect, type Socket } from 'node:net';
import { errorFrom, JunctorError } from '@junctor/core/light';
import type {
  HubFile,
  PipeAnswer,
  PipeGreeting,
  PipeProject,
  PipeQuestion,
  ProjectAnswer,
  WorkPlace,
} from '@junctor/hub';

/** A hub answers at once; one that does not is stuck. */
const ANSWER_MS = 10_000;

export interface OpenedPipe {
  readonly socket: Socket;
  /** Whose servers it leads to; undefined from a hub of an earlier version. */
  readonly project: ProjectAnswer | undefined;
}

export interface KnownServers {
  readonly fingerprints: ReadonlyMap<string, string>;
  /** What the addresses of their endpoints carry after `/w/`. */
  readonly project: string | undefined;
}

/** Undefined where the hub is not there, still starting, or about to end: then it is worth to look again. */
export async function openPipe({ socket: path }: HubFile, greeting: PipeGreeting): Promise<OpenedPipe | undefined> {
  const socket = connect(path);
  const answer = await answerTo(socket, greeting);
  if (answer && 'open' in answer) return { socket, project: answer.project };
  socket.destroy();
  return undefined;
}

/** What each server is at the hub for a command typed there. Undefined where the hub is not there, or not ready. */
export async function askFingerprints(
  { socket: path, token }: HubFile,
  at: WorkPlace,
): Promise<KnownServers | undefined> {
  const socket = connect(path);
  const answer = await answerTo(socket, { ask: 'fingerprints', token, at });
  socket.destroy();
  if (!answer || !('fingerprints' in answer)) return undefined;
  return { fingerprints: new Map(Object.entries(answer.fingerprints)), project: answer.project };
}

/** Which project a folder belongs to, registered there if need be. Undefined where the hub is not there, or not ready. */
export async function askProject({ socket: path, token }: HubFile, at: WorkPlace): Promise<ProjectAnswer | undefined> {
  const socket = connect(path);
  const answer = await answerTo(socket, { ask: 'project', token, at });
  socket.destroy();
  return answer && 'project' in answer && typeof answer.project === 'object' ? answer.project : undefined;
}

/** A token of this agent, good while the hub runs. Undefined where the hub is not there, or not ready. */
export async function askAgentToken({ socket: path, token }: HubFile, agent: string): Promise<string | undefined> {
  const socket = connect(path);
  const answer = await answerTo(socket, { ask: 'agent-token', agent, token });
  socket.destroy();
  return answer && 'agent_token' in answer ? answer.agent_token : undefined;
}

/** Refusals are thrown in the words of the hub. */
async function answerTo(
  socket: Socket,
  greeting: PipeGreeting | PipeQuestion | PipeProject,
): Promise<PipeAnswer | undefined> {
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

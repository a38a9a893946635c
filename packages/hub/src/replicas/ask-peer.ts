/** A question to another hub on the same database, over its REST. It is told who asks, and answers for itself alone. */
import type { IncomingMessage } from 'node:http';
import { HUB_PROOF_HEADER } from './peer-door.ts';
import type { Peer } from './register.ts';
import { requestTo } from './request-to.ts';

export interface PeerQuestion {
  readonly path: string;
  /** That a hub asks for this path. */
  readonly proof: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export async function askPeer(peer: Pick<Peer, 'url'>, question: PeerQuestion): Promise<unknown> {
  const answer = await openPeer(peer, question);
  answer.setEncoding('utf8');
  let text = '';
  for await (const piece of answer) text += piece;
  return JSON.parse(text);
}

/** The answer, as soon as it begins. */
export function openPeer(
  { url }: Pick<Peer, 'url'>,
  { path, proof, headers = {}, signal }: PeerQuestion,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { headers: { ...headers, [HUB_PROOF_HEADER]: proof }, agent: false as const, signal };
    const request = requestTo(url, path, options);
    request.on('response', answer => {
      if (answer.statusCode === 200) return resolve(answer);
      answer.destroy();
      reject(new Error(`it answered with status ${answer.statusCode}`));
    });
    request.on('error', error => reject(signal.aborted ? new Error('it did not answer in time') : error));
    request.end();
  });
}

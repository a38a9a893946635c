/** REST behind a plain HTTP server: the request as the web has it, and its answer back, piece by piece. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { JunctorError } from '@junctor/core';
import type { Asker, RestApp } from './app.ts';
import { failureAnswer, Refusal } from './failure.ts';

/** A config of an agent with hundreds of servers has some hundred KiB. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_READ_BYTES = 64 * 1024 * 1024;

export async function answerRest(
  app: RestApp,
  request: IncomingMessage,
  response: ServerResponse,
  asker: Asker,
): Promise<void> {
  let answer: Response;
  try {
    answer = await app(await asWebRequest(request), asker);
  } catch (error) {
    const { status, body } = failureAnswer(error);
    answer = Response.json(body, { status });
  }
  await send(answer, response);
}

async function asWebRequest(request: IncomingMessage): Promise<Request> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !name.startsWith(':'))
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const { method = 'GET' } = request;
  // A request of the web cannot have it, and nobody needs it.
  if (method === 'TRACE')
    throw new Refusal(405, new JunctorError('usage', 'TRACE is not answered.', { hint: 'use GET' }));
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? await bodyOf(request) : undefined;
  return new Request(`http://localhost${request.url ?? '/'}`, {
    method,
    headers,
    ...(body && body.length > 0 ? { body } : {}),
  });
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  // Read to its end where it is not much too large: a connection that is cut takes the answer with it.
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_READ_BYTES) throw tooLarge();
    if (bytes <= MAX_BODY_BYTES) pieces.push(piece);
  }
  if (bytes > MAX_BODY_BYTES) throw tooLarge();
  return Buffer.concat(pieces);
}

function tooLarge(): Refusal {
  return new Refusal(
    413,
    new JunctorError('usage', `The body is larger than ${MAX_BODY_BYTES / 1024 / 1024} MiB.`, {
      hint: 'send less at once',
    }),
  );
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) {
    response.end();
    return;
  }
  // A reader that is slow holds up its own stream and nothing else; one that has gone ends it.
  await pipeline(Readable.fromWeb(answer.body as NodeReadableStream), response).catch(() => {});
}

/** The upstream over Streamable HTTP: plain JSON answers, no sessions. Prints its URL when it listens. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message } from '../raw-client/json-rpc.ts';
import { makeAnswers, serverOptions } from './answers.ts';

const answersTo = makeAnswers(serverOptions(process.argv));

const server = createServer((request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    // A notification of the server has no stream to go on here, so only the answer itself is sent.
    const text = answersTo(JSON.parse(Buffer.concat(pieces).toString()) as Message).at(-1);
    if (text === undefined) response.writeHead(202).end();
    else {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      response.end(text);
    }
  });
});

// Shorter than a round, and a contestant that idles between phases would pay for a new connection.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`);
});

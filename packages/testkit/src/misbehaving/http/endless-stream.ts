/** Answers a call with an event stream that goes on for ever without the answer, or very long before it. */
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { answerHttp, sendText } from '../http-wire.ts';

const EVERY_MS = 5;

export const endlessStream: RequestListener = (request, response) => {
  void answerHttp(request, response, ['wait', 'echo'], ({ id, params }) => {
    if (params?.name === 'echo') return sendText(response, id, String(params.arguments?.text));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write(': still here\n\n'), EVERY_MS);
    response.on('close', () => clearInterval(timer));
  });
};

const MESSAGES = 100_000;
const BATCH = 500;

export const floodedStream: RequestListener = (request, response) => {
  void answerHttp(request, response, ['flood'], ({ id }) => void flood(response, id));
};

async function flood(response: ServerResponse, id: number | undefined): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
  for (let sent = 0; sent < MESSAGES; sent += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) =>
      event({ method: 'notifications/message', params: { level: 'info', data: `message ${sent + index}` } }),
    );
    if (!response.write(batch.join(''))) await once(response, 'drain');
  }
  response.end(event({ id, result: { content: [{ type: 'text', text: 'done' }] } }));
}

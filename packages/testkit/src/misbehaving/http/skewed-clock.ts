/** Lives in 1970, and gives times to live that no clock can hold. */
import type { RequestListener } from 'node:http';
import { readMessage, sendJson, sendText } from '../http-wire.ts';
import { GREETING, toolNamed } from '../wire.ts';

const LIVES = [-1, Number.MAX_VALUE, 0, 'soon', null];

export function skewedClock(): RequestListener {
  let lists = 0;
  return (request, response) => {
    response.setHeader('date', 'Thu, 01 Jan 1970 00:00:00 GMT');
    response.setHeader('expires', 'Thu, 01 Jan 1970 00:00:00 GMT');
    void readMessage(request).then(({ id, method }) => {
      const ttlMs = LIVES[lists % LIVES.length];
      if (method === 'initialize') sendJson(response, { id, result: { ...GREETING, ttlMs } });
      else if (method === 'tools/list') {
        lists++;
        sendJson(response, { id, result: { tools: [toolNamed('echo')], ttlMs, cacheScope: 'public' } });
      } else if (method === 'tools/call') sendText(response, id, 'ok');
      else if (id !== undefined) sendJson(response, { id, error: { code: -32601, message: 'Method not found' } });
      else response.writeHead(request.method === 'POST' ? 202 : 405).end();
    });
  };
}

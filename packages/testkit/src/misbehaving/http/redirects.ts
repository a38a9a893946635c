/** Sends its clients elsewhere: to another origin, to another path of its own, or round in a circle. */
import type { RequestListener } from 'node:http';
import { answerHttp, sendText } from '../http-wire.ts';

export function redirectTo(address: string, status: number): RequestListener {
  return (request, response) => {
    request.resume();
    response.writeHead(status, { location: address }).end();
  };
}

/** As frameworks do that insist on a slash at the end. */
export const wantsSlash: RequestListener = (request, response) => {
  if (!request.url?.endsWith('/')) return redirectTo(`${request.url}/`, 307)(request, response);
  void answerHttp(request, response, ['echo'], ({ id, params }) =>
    sendText(response, id, String(params?.arguments?.text)),
  );
};

export const inCircles: RequestListener = (request, response) =>
  redirectTo(request.url === '/mcp' ? '/other' : '/mcp', 308)(request, response);

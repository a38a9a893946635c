/** Answers everything with a web page, as a login wall or a wrong path does: with success, or with an error. */
import type { RequestListener } from 'node:http';

const page = (title: string): string =>
  `<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body>${'<p>lorem ipsum</p>'.repeat(2000)}</body></html>`;

export const loginPage: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page('Sign in to Example'));
};

export const badGateway: RequestListener = (_request, response) => {
  response.writeHead(502, { 'content-type': 'text/html' }).end(page('502 Bad Gateway'));
};

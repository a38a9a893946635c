import * as z from 'zod/mini';
import { openApiDocument } from '../openapi/document.ts';
import { type Route, route } from '../route.ts';

/** The document describes itself too. */
export function openApiRoute(others: readonly Route[]): Route {
  let document: object | undefined;
  const own: Route = route({
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This document.',
    answers: { 200: { description: 'OpenAPI 3.1.', schema: z.looseObject({ openapi: z.string() }) } },
    async run() {
      document ??= openApiDocument([...others, own]);
      return { body: document };
    },
  });
  return own;
}

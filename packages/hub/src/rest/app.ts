/** Every REST path as one function from request to answer. Nothing here knows a socket. */
import { type Caller, JunctorError } from '@junctor/core';
import { duplicateKeys, nestsTooDeeply, parseKeepingDigits } from '@junctor/core/internal';
import { Hono } from 'hono';
import type * as z from 'zod/mini';
import type { TokenMaker } from '../store/token-maker.ts';
import { type ActAsked, runAct } from './acts.ts';
import { failureAnswer, invalid, misaddressed, problemsOf, Refusal } from './failure.ts';
import type { Rooms } from './rooms.ts';
import type { Answered, Route } from './route.ts';
import { allRoutes } from './routes/routes.ts';

export interface Asker {
  /**
   * Aborted when nobody waits any more, or nobody may. It does not come with the request: the signal of a `Request` follows the one
   * it was made with only until the request is collected as garbage, and a stream lives on after that.
   */
  readonly gone: AbortSignal;
  readonly caller: Caller;
  readonly maker: TokenMaker;
  /** Where the request came from. */
  readonly address: string;
  readonly atPage: boolean;
}

export type RestApp = (request: Request, asker: Asker) => Promise<Response>;

export function createRestApp(rooms: Rooms): RestApp {
  const app = new Hono<{ Bindings: Asker }>();
  const routes = allRoutes();
  for (const route of routes) {
    app.on(route.method, honoPath(route.path), async context => {
      const params: unknown = context.req.param();
      return answer(route, { request: context.req.raw, params, asker: context.env }, rooms);
    });
  }
  app.onError(error => failed(error, rooms));
  app.notFound(context => failed(nothingHere(context.req.path, context.req.method, routes), rooms));
  return async (request, asker) => app.fetch(request, asker);
}

interface Incoming {
  readonly request: Request;
  readonly params: unknown;
  readonly asker: Asker;
}

async function answer(route: Route, { request, params, asker }: Incoming, rooms: Rooms): Promise<Response> {
  const asked = {
    params: read('The path', route.params, params),
    query: read('The query', route.query, Object.fromEntries(new URL(request.url).searchParams)),
    body: route.body ? read('The body', route.body, await jsonOf(request, route.keepsDigits ?? false)) : undefined,
    headers: request.headers,
    signal: asker.gone,
    caller: asker.caller,
    maker: asker.maker,
    address: asker.address,
    atPage: asker.atPage,
  };
  const answered = await (route.act === undefined
    ? route.run(asked as never, rooms)
    : runAct(route, route.act, asked as ActAsked, rooms));
  return answered instanceof Response ? answered : asResponse(answered);
}

function asResponse({ status = 200, body, headers = {} }: Answered): Response {
  if (body === undefined) return new Response(null, { status, headers });
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

function read(what: string, schema: Route['query'], value: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const known = Object.keys((schema as { shape?: object }).shape ?? {});
  const problems = problemsOf(result.error as z.core.$ZodError, known, value);
  throw what === 'The body' ? invalid(what, problems) : misaddressed(what, problems);
}

async function jsonOf(request: Request, keepsDigits: boolean): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  // A form of another site could send anything else without asking us first.
  if (!/^application\/json\b/i.test(type)) {
    throw new Refusal(
      415,
      new JunctorError('usage', `The body is ${type === '' ? 'of no named type' : type}, not JSON.`, {
        hint: 'send it with the header content-type: application/json',
      }),
    );
  }
  const text = await request.text();
  const parsing = async (): Promise<unknown> => (keepsDigits ? parseKeepingDigits(text) : JSON.parse(text));
  const body = await parsing().catch((error: Error) => {
    const hint = 'GET /api/openapi.json says what each path takes';
    throw new Refusal(400, new JunctorError('usage', 'The body is not valid JSON.', { why: error.message, hint }));
  });
  if (nestsTooDeeply(body)) {
    const why = 'lists and objects stand in each other more than 500 times';
    throw new Refusal(400, new JunctorError('usage', 'The body is nested too deeply.', { why }));
  }
  // Of two equal keys one would be lost without a word, as in a config file.
  const twice = keepsDigits ? [] : duplicateKeys(text);
  if (twice.length > 0)
    throw invalid(
      'The body',
      twice.map(({ path, message, fix }) => ({ path, message, ...(fix === undefined ? {} : { fix }) })),
    );
  return body;
}

function failed(error: unknown, { book, about }: Rooms): Response {
  const { status, body } = failureAnswer(error, {
    mask: text => book.common.mask(text),
    commands: text => about.commands.inText(text),
  });
  return Response.json(body, { status });
}

function nothingHere(path: string, method: string, routes: readonly Route[]): Refusal {
  const here = routes.filter(route => matches(route.path, path)).map(route => route.method.toUpperCase());
  if (here.length === 0) {
    return new Refusal(
      404,
      new JunctorError('not_found', `Nothing is at ${path}.`, { hint: 'GET /api/openapi.json lists every path' }),
    );
  }
  return new Refusal(
    405,
    new JunctorError('usage', `${path} does not take ${method}.`, { hint: `use ${here.join(', ')}` }),
  );
}

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

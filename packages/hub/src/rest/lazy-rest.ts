import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Rooms } from './rooms.ts';

/** `gone` is aborted when nobody waits for the answer any more, or nobody may. */
export type RestDoor = (request: IncomingMessage, response: ServerResponse, gone: AbortSignal) => Promise<void>;

/** Most hubs are only called by agents: what REST needs is loaded when somebody first asks. */
export function lazyRest(rooms: Rooms): RestDoor {
  let door: Promise<RestDoor> | undefined;
  const open = async (): Promise<RestDoor> => {
    const [{ createRestApp }, { answerRest }] = await Promise.all([import('./app.ts'), import('./node-http.ts')]);
    const app = createRestApp(rooms);
    return (request, response, gone) => answerRest(app, request, response, gone);
  };
  return async (request, response, gone) => {
    door ??= open();
    return (await door)(request, response, gone);
  };
}

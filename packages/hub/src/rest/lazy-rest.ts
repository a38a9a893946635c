import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Asker } from './app.ts';
import type { Rooms } from './rooms.ts';

export type RestDoor = (request: IncomingMessage, response: ServerResponse, asker: Asker) => Promise<void>;

/** Most hubs are only called by agents: what REST needs is loaded when somebody first asks. */
export function lazyRest(rooms: Rooms): RestDoor {
  let door: Promise<RestDoor> | undefined;
  const open = async (): Promise<RestDoor> => {
    const [{ createRestApp }, { answerRest }] = await Promise.all([import('./app.ts'), import('./node-http.ts')]);
    const app = createRestApp(rooms);
    return (request, response, asker) => answerRest(app, request, response, asker);
  };
  return async (request, response, asker) => {
    door ??= open();
    return (await door)(request, response, asker);
  };
}

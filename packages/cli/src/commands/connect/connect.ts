import { dataDirectory, isJunctorError, JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { END_UNUSED_SECONDS, findPipe, reachPipe } from '../../hub/reach-hub.ts';
import { wholeNumber } from '../../number-option.ts';
import { Carrier } from './carrier.ts';

export const connect = defineCommand({
  options: {
    'hub-port': { value: 'PORT', help: 'the port of a hub that has to be started (default: 7717, else a free one)' },
    'hub-unused': {
      value: 'SECONDS',
      help: `a hub that was started for this ends so long after its last client (default: ${END_UNUSED_SECONDS})`,
    },
  },
  details: `Clients start it as they start any server on stdin and stdout: the command is npx, its arguments are junctor connect
and the name of the agent. A token in the variable JUNCTOR_TOKEN opens the door; without one the hub of your own data directory
needs none.`,
  async run(context, { options, words }) {
    const way = {
      data: dataDirectory(context.surroundings, context.global.data),
      door: `/mcp/${encodeURIComponent(words[0] as string)}`,
      token: context.surroundings.env.JUNCTOR_TOKEN,
      port: options['hub-port'],
      endUnusedSeconds: wholeNumber('hub-unused', options['hub-unused']) ?? END_UNUSED_SECONDS,
    };
    const carrier = new Carrier({
      input: process.stdin,
      output: process.stdout,
      find: () => findPipe(way),
      reach: () => reachPipe(context, way),
      signal: context.signal,
      talk: context.talk,
    });
    await carrier.carry().catch(error => {
      throw way.token === undefined ? error : withVariable(error);
    });
    return 0;
  },
});

/** Nobody would look for the token in a variable that was set long ago. */
function withVariable(error: unknown): unknown {
  if (!isJunctorError(error, 'token_required') && !isJunctorError(error, 'token_refused')) return error;
  return new JunctorError(error.code, error.message, {
    why: 'the token is that of the variable JUNCTOR_TOKEN',
    hint: 'unset JUNCTOR_TOKEN, or set it to a token of this data directory: junctor hub token --agent ID',
    cause: error,
  });
}

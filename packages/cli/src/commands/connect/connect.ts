import { ANY_TOKEN_VARIABLE, tokenVariable } from '@junctor/core/config-write';
import { dataDirectory, isJunctorError, JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { END_UNUSED_SECONDS, findPipe, reachPipe } from '../../hub/reach-hub.ts';
import { tellProject, workPlace } from '../../hub/work-place.ts';
import { wholeNumber } from '../../number-option.ts';
import { Carrier } from './carrier.ts';

export const connect = defineCommand({
  options: {
    project: {
      value: 'FOLDER',
      help: 'the folder whose servers the client gets (default: where it starts this command)',
    },
    'hub-port': { value: 'PORT', help: 'the port of a hub that has to be started (default: 7717, else a free one)' },
    'hub-unused': {
      value: 'SECONDS',
      help: `a hub that was started for this ends so long after its last client (default: ${END_UNUSED_SECONDS})`,
    },
  },
  details: `Clients start it as they start any server on stdin and stdout. junctor mcp export AGENT --via hub --write puts the command
into the file of an agent. It gets the servers of the project around the folder it is started in, and your own. The hub of your own
data directory gives it a token of that agent. Where the variable JUNCTOR_TOKEN_<AGENT> or JUNCTOR_TOKEN is set, that is the token.`,
  async run(context, { options, words }) {
    const agent = words[0] as string;
    const { env } = context.surroundings;
    const variable = [tokenVariable(agent), ANY_TOKEN_VARIABLE].find(name => env[name]);
    const way = {
      data: dataDirectory(context.surroundings, context.global.data),
      agent,
      token: variable === undefined ? undefined : env[variable],
      at: workPlace(context, options.project),
      onOpen: tellProject(context),
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
    const unanswered = await carrier.carry().catch(error => {
      throw variable === undefined ? error : withVariable(error, variable, agent);
    });
    if (unanswered === 0) return 0;
    context.talk(`requests without an answer when the client left: ${unanswered}`);
    return 1;
  },
});

/** Nobody would look for the token in a variable that was set long ago. */
function withVariable(error: unknown, variable: string, agent: string): unknown {
  if (!isJunctorError(error, 'token_required') && !isJunctorError(error, 'token_refused')) return error;
  return new JunctorError(error.code, error.message, {
    why: `the token is that of the variable ${variable}`,
    hint: `unset ${variable}, or set it to a token of this data directory: junctor hub token --agent ${agent}`,
    cause: error,
  });
}

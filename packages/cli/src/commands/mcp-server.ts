import { randomBytes } from 'node:crypto';
import { type AgentOffer, agentOffer, InvalidArguments, openAgent } from '@junctor/chat';
import { JunctorError, VERSION } from '@junctor/core/light';
import { CODE, RpcError, type ServedOffer, serveHttp, serveStdio, Unanswered } from '@junctor/testkit/test-server';
import { defineCommand } from '../command.ts';
import { hostOptions } from '../context.ts';
import { interrupted } from '../interrupted.ts';
import { portNumber, portTaken } from '../number-option.ts';
import { logModelWarnings } from '../output/model-warnings.ts';

/** Whoever calls waits anyway. */
const PATIENCE_MS = 60_000;

export const mcpServer = defineCommand({
  options: {
    http: {
      value: 'PORT',
      help: 'serve Streamable HTTP on this port of 127.0.0.1, behind a token (0: a free one; default: stdin and stdout)',
    },
    model: { value: 'PROVIDER/NAME', help: 'as for junctor chat' },
    'base-url': { value: 'URL', help: 'as for junctor chat' },
    yes: { help: 'answer yes where permission would be asked' },
  },
  details: `tools      junctor {prompt} → {session_id, response}, junctor-reply {session_id, message} → {response}
resources  the conversations; they are kept, and go on after a restart
With --http each request needs the token as 'Authorization: Bearer TOKEN': JUNCTOR_MCP_SERVER_TOKEN, else one that is made
at each start and printed once. Clients with this token can use the agent's shell with your approval in that client.
Where the agent needs permission, the client is asked by elicitation; one that cannot be asked gets what the rules allow.

example: junctor mcp add agent -- npx junctor mcp-server --model anthropic/claude-sonnet-4-5`,
  async run(context, { options }) {
    const port = portNumber('http', options.http);
    const given = port === undefined ? undefined : tokenIn(context.surroundings.env);
    const { surroundings, redactor, global } = context;
    const approvals = { waitMs: Number.POSITIVE_INFINITY, attended: false };
    logModelWarnings(context.log);
    await using agent = await openAgent({
      model: options.model,
      baseUrl: options['base-url'],
      command: 'junctor mcp-server',
      hostOptions: { ...hostOptions(context), approvals },
      surroundings,
      redactor,
      data: global.data,
      patienceMs: PATIENCE_MS,
    });
    const served = servedOffer(await agentOffer(agent, { yes: options.yes }));
    // Awaited here: the agent ends when this function does.
    if (port === undefined) return await serveOnStdio(served, context.signal);
    const token = given ?? randomBytes(32).toString('base64url');
    // A made token is printed below, past the redactor; nothing else that is printed may hold one.
    redactor.learn(given);
    const server = await serveHttp(port, { offer: served, sandboxState: true, token }).catch(error => {
      throw portTaken(error, 'http', port);
    });
    // A token that the environment gave is known to the person already.
    const made = given === undefined ? { token } : {};
    const lines = given === undefined ? [server.url, `token: ${token}`] : [server.url];
    context.answer({ json: { url: server.url, ...made }, text: lines.join('\n') });
    await interrupted(context.signal);
    await server.close();
    return 0;
  },
});

const TOKEN_VARIABLE = 'JUNCTOR_MCP_SERVER_TOKEN';

/** Shorter ones can be guessed: every program of this machine can try. */
const MIN_TOKEN_CHARS = 32;

function tokenIn(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const token = env[TOKEN_VARIABLE];
  if (token === undefined || /^[\w.~+/=-]{32,}$/.test(token)) return token;
  throw new JunctorError('usage', `${TOKEN_VARIABLE} is no token that protects anything.`, {
    why: `it must have at least ${MIN_TOKEN_CHARS} characters, and only letters, digits and . _ ~ + / = -`,
    hint: 'unset it to have one made at each start, or make one with: openssl rand -base64 32',
  });
}

/** Ends with stdin, or with the program. */
async function serveOnStdio(offer: ServedOffer, signal: AbortSignal): Promise<number> {
  await serveStdio({ offer, sandboxState: true }, signal);
  return 0;
}

type Running = Parameters<ServedOffer['tools'][number]['run']>[1];

function servedOffer(offer: AgentOffer): ServedOffer {
  return {
    info: { name: 'junctor', version: VERSION },
    instructions: 'An agent with tools of its own. Start a conversation with junctor, go on with junctor-reply.',
    tools: offer.tools.map(({ definition, run }) => ({
      definition,
      run: (args, context) =>
        run(args, {
          ...context,
          ask: questions => asked(context, questions),
          publish: transcript => context.shared.resources.add(transcript),
        }).catch(error => {
          throw error instanceof InvalidArguments ? new RpcError(CODE.invalidParams, error.message) : error;
        }),
    })),
    prompts: offer.prompts,
    resources: offer.transcripts,
    onSandboxState: offer.onSandboxState,
  };
}

/** A client that refuses to ask its person has not said yes. */
async function asked(context: Running, questions: Parameters<Running['ask']>[0]): ReturnType<Running['ask']> {
  try {
    return await context.ask(questions);
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return Object.fromEntries(Object.keys(questions).map(key => [key, { action: 'cancel' }]));
  }
}

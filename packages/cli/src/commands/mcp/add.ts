import { addServer, hideSecrets } from '@junctor/core/config-write';
import { isJunctorError, JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { approveWritten } from '../../config-files/approve.ts';
import { definitionIn, removeLeft, secretsLeftBy } from '../../config-files/left-secrets.ts';
import { editOptions, SCOPE_OPTION, type Target, targetNaming, tellWritten } from '../../config-files/scope.ts';
import { withSecrets } from '../../config-files/secret-values.ts';
import type { Context } from '../../context.ts';
import { definitionFrom } from './add-definition.ts';

export const mcpAdd = defineCommand({
  options: {
    transport: { value: 'stdio|http|sse|ws', help: 'how to reach it (default: what --command or --url implies)' },
    command: { value: 'PROGRAM', help: 'the program to start; with --url it is the one that serves it' },
    arg: { value: 'VALUE', many: true, dashed: true, help: 'an argument of the program' },
    cwd: { value: 'DIR', help: 'where the program starts' },
    env: { value: 'KEY=VALUE', many: true, help: 'a variable of the program; KEY alone asks for the value' },
    url: { value: 'URL', help: 'http, sse, ws: the endpoint' },
    header: { value: 'KEY=VALUE', many: true, help: 'a header of every request; KEY alone asks for the value' },
    'oauth-authorization-url': { value: 'URL', help: 'where a person signs in' },
    'oauth-token-url': { value: 'URL', help: 'where tokens are fetched' },
    'oauth-registration-url': { value: 'URL', help: 'where a client registers' },
    'oauth-client-id': { value: 'ID', help: 'a client that is registered already' },
    'oauth-client-secret': { value: 'SECRET', prompts: true, help: 'its secret; without a value it is asked for' },
    'oauth-scope': { value: 'SCOPE', help: 'what to ask for' },
    enabled: { value: 'true|false', help: 'whether it is switched on (default: true)' },
    trust: { value: 'trusted|untrusted', help: 'whether its tools run without asking (default: untrusted)' },
    mode: { value: 'shared|per_session|auto', help: 'one instance for all sessions, or one each (default: auto)' },
    'request-timeout-ms': { value: 'MS', help: 'how long a control request may take' },
    scope: SCOPE_OPTION,
    replace: { help: 'overwrite a server of the same id' },
  },
  details: `example: junctor mcp add fs -- npx -y @modelcontextprotocol/server-filesystem .
The same with options: --command npx --arg -y --arg @modelcontextprotocol/server-filesystem --arg .
With --url it is started first: junctor mcp add web --url http://127.0.0.1:8888/mcp -- npx junctor test-server
A literal secret goes to the secret store, and the file gets a reference to it.`,
  async run(context, { options, words }) {
    const [id, ...line] = words as [string, ...string[]];
    const target = await targetNaming(context, options.scope, id);
    const written = await definitionFrom(withCommandLine(options, line), name => promptFor(context, name));
    const { definition, secrets } = hideSecrets(target.file, id, written);
    const edit = { ...editOptions(context, target), replace: options.replace };
    const replaced = options.replace ? await definitionIn(context, target.file, id) : undefined;
    await withSecrets(context, secrets, () =>
      addServer(target.file, { id, definition }, edit).catch(error => offerLocal(target, error)),
    );
    await approveWritten(context, target, [{ id, definition }]);
    context.answer({
      json: { id, file: target.file, transport: definition.transport, secrets: secrets.map(({ name }) => name) },
      text: replaced ? `replaced server '${id}' in ${target.file}` : `added server '${id}' to ${target.file}`,
    });
    if (replaced) await removeLeft(context, await secretsLeftBy(context, target.file, replaced), false);
    for (const { name } of secrets) context.talk(`stored the secret ${name}; the file holds a reference to it`);
    if (await tellWritten(context, target)) context.talk(`next: ${context.commands.line(`mcp tools ${id}`)}`);
    return 0;
  },
});

/** A project file of another program may have no way to say this; the local file beside it is ours. */
function offerLocal({ scope, file }: Target, error: unknown): never {
  if (scope !== 'project' || !isJunctorError(error, 'config_conflict') || error.why === undefined) throw error;
  throw new JunctorError('config_conflict', error.message, {
    why: error.why,
    hint: `repeat the command with --scope local: it is then written to junctor.local.json, which counts above ${file}`,
    cause: error,
  });
}

interface Reached {
  readonly command: string | undefined;
  readonly arg: readonly string[];
  readonly url: string | undefined;
}

/** `mcp add ID -- PROGRAM ARGS…`, as one would type it to start the server; or `mcp add ID URL`. */
function withCommandLine<Options extends Reached>(options: Options, line: readonly string[]): Options {
  const [command, ...args] = line;
  if (command === undefined) return options;
  if (line.length === 1 && options.url === undefined && /^(https?|wss?):\/\//i.test(command))
    return { ...options, url: command };
  if (options.command !== undefined || options.arg.length > 0) {
    throw new JunctorError('usage', 'A program after -- does not go with --command or --arg.', {
      hint: 'junctor mcp add --help',
    });
  }
  return { ...options, command, arg: args };
}

async function promptFor(context: Context, name: string): Promise<string> {
  if (!context.interactive) {
    throw new JunctorError('input_required', `The value of ${name} is missing, and no terminal is there to ask on.`, {
      hint: `give it: ${name}=…, or store it with junctor secret set and write \${secret:NAME}`,
    });
  }
  const { promptSecret } = await import('../../output/prompt-secret.ts');
  return promptSecret(name, context.signal);
}

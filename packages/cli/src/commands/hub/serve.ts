import { createHost, watchHost } from '@junctor/core';
import { describeProblem } from '@junctor/core/config-read';
import { dataDirectory, JunctorError } from '@junctor/core/light';
import { startHub } from '@junctor/hub';
import { defineCommand } from '../../command.ts';
import { type Context, hostOptions } from '../../context.ts';

const DEFAULT_ADDRESS = '127.0.0.1';
const DEFAULT_PORT = 7717;

export const hubServe = defineCommand({
  options: {
    host: { value: 'ADDRESS', help: `where to listen (default: ${DEFAULT_ADDRESS}, this machine only)` },
    port: { value: 'PORT', help: `which port (default: ${DEFAULT_PORT}; 0: a free one)` },
  },
  details: `Agents connect to http://127.0.0.1:7717/mcp/<agent> with a token: junctor hub token.
A token in the variable JUNCTOR_TOKEN is accepted as well.`,
  async run(context, { options }) {
    const hostSettings = { ...hostOptions(context), naming: 'server_tool' as const };
    const host = await createHost(hostSettings);
    for (const problem of host.loaded.problems) context.talk(`warning: ${describeProblem(problem)}`);
    host.events.on('state-changed', ({ server, state }) => {
      if (state.kind === 'error')
        context.talk(`warning: MCP server '${server}' unavailable: ${state.lastError.message}`);
    });
    await using hub = await startHub({
      host,
      dataDirectory: dataDirectory(context.surroundings, context.global.data),
      address: options.host ?? DEFAULT_ADDRESS,
      port: portFrom(options.port),
      token: context.surroundings.env.JUNCTOR_TOKEN,
    });
    announce(context, hub.url, host.links.ids);
    for (const what of host.unapproved)
      context.talk(`does not count before you approve it (junctor trust list): ${what}`);
    for (const { id, because, kind } of host.resolution.leftOut) {
      if (kind !== 'off') context.talk(`left out '${id}': ${because}`);
    }
    using _watch = watchHost(host, hostSettings, {
      onReload: ({ added, removed, changed }) => context.talk(describeChanges({ added, removed, changed })),
      onProblem: error => context.talk(`warning: ${error.message}${error.why ? `\n${error.why}` : ''}`),
    });
    await aborted(context.signal);
    context.talk('closing …');
  },
});

function announce(context: Context, url: string, servers: readonly string[]): void {
  const data = context.global.data ? ` --data ${context.global.data}` : '';
  context.answer({
    json: { url, pid: process.pid, servers },
    text: [
      `Junctor hub: ${url}`,
      `  servers  ${servers.length === 0 ? 'no MCP servers configured' : servers.join(', ')}`,
      `  agents   ${url}/mcp/<agent>   (claude-code, codex, cursor, … or default)`,
      `  token    npx junctor hub token${data}`,
    ].join('\n'),
  });
}

function describeChanges(changes: Readonly<Record<string, readonly string[]>>): string {
  const parts = Object.entries(changes).flatMap(([what, ids]) => (ids.length > 0 ? [`${what} ${ids.join(', ')}`] : []));
  return `config changed: ${parts.join('; ')}`;
}

function portFrom(text: string | undefined): number {
  const port = Number(text ?? DEFAULT_PORT);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new JunctorError('usage', `--port needs a number from 0 to 65535, not '${text}'.`);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
}

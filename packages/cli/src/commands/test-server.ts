import { JunctorError } from '@junctor/core/light';
import { serveHttp, serveStdio } from '@junctor/testkit/test-server';
import { defineCommand } from '../command.ts';

const DEFAULT_PORT = 8888;

export const testServer = defineCommand({
  options: {
    stdio: { help: 'speak on stdin and stdout' },
    http: {
      value: 'PORT',
      help: `serve Streamable HTTP on this port (default without --stdio: ${DEFAULT_PORT}; 0: a free one)`,
    },
    tools: { value: 'N', help: 'offer at least this many tools' },
    'page-size': { value: 'N', help: 'list the tools in pages of this size' },
    delay: { value: 'MS', help: 'answer initialize only after this long' },
  },
  details: 'example: junctor mcp add demo --command npx --arg junctor --arg test-server --arg=--stdio',
  async run(context, { options }) {
    const settings = {
      tools: numberFrom('tools', options.tools),
      pageSize: numberFrom('page-size', options['page-size']),
      delayMs: numberFrom('delay', options.delay),
    };
    if (options.stdio) {
      await serveStdio(settings);
      return;
    }
    const server = await serveHttp(numberFrom('http', options.http) ?? DEFAULT_PORT, settings).catch(error => {
      throw portTaken(error as NodeJS.ErrnoException, options.http);
    });
    context.answer({ json: { url: server.url }, text: server.url });
    await new Promise<void>(resolve => context.signal.addEventListener('abort', () => resolve()));
    await server.close();
  },
});

function numberFrom(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0) return number;
  throw new JunctorError('usage', `--${name} needs a whole number, not '${text}'.`);
}

function portTaken(error: NodeJS.ErrnoException, port: string | undefined): Error {
  if (error.code !== 'EADDRINUSE') return error;
  return new JunctorError('port_in_use', `Port ${port ?? DEFAULT_PORT} is in use by another program.`, {
    hint: 'choose another with --http PORT; 0 takes a free one',
  });
}

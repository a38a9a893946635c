import { resolve } from 'node:path';
import { RecordedServer, Replay, readRecording, readRpcLines, serveRecordingOverHttp } from '@junctor/core/inside';
import { JunctorError } from '@junctor/core/light';
import { defineCommand } from '../command.ts';

export const replay = defineCommand({
  options: {
    http: { value: 'PORT', help: 'serve Streamable HTTP on this port in place of stdin and stdout (0: a free one)' },
  },
  details: `The same requests get the same answers, notifications and questions as when they were recorded; repeated ones in
the order they were. A request that was not recorded is an error that says so. The server itself is not needed.

example: junctor mcp add demo --command npx --arg junctor --arg replay --arg demo.jsonl`,
  async run(context, { options, words }) {
    const [name] = words as [string];
    const messages = await readRecording(resolve(context.surroundings.cwd, name));
    const server = new RecordedServer(new Replay(messages), name);
    if (options.http !== undefined) {
      await using served = await serveRecordingOverHttp(server, portFrom(options.http));
      context.answer({ json: { url: served.url }, text: served.url });
      await new Promise<void>(done => context.signal.addEventListener('abort', () => done()));
      return 0;
    }
    const { stdin: input, stdout: output } = process;
    await readRpcLines({ input, output, signal: context.signal }, (message, say) => void server.hear(message, say));
    return 0;
  },
});

function portFrom(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new JunctorError('usage', `--http needs a port, not '${text}'.`);
}

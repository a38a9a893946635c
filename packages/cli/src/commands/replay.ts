import { resolve } from 'node:path';
import { RecordedServer, Replay, readRecording, readRpcLines, serveRecordingOverHttp } from '@junctor/core/internal';
import { defineCommand } from '../command.ts';
import { interrupted } from '../interrupted.ts';
import { portNumber, portTaken } from '../number-option.ts';

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
    const port = portNumber('http', options.http);
    if (port !== undefined) {
      await using served = await serveRecordingOverHttp(server, port).catch(error => {
        throw portTaken(error, 'http', port);
      });
      context.answer({ json: { url: served.url }, text: served.url });
      await interrupted(context.signal);
      return 0;
    }
    const { stdin: input, stdout: output } = process;
    await readRpcLines({ input, output, signal: context.signal }, (message, say) => void server.hear(message, say));
    return 0;
  },
});

/** One of many that call a guarded server at the same moment: a process of its own, or a thread. */
import { parentPort } from 'node:worker_threads';
import { createHost } from '@junctor/core';

const [url, data, index] = process.argv.slice(2);
const say = (message: string): void => void (parentPort ? parentPort.postMessage(message) : process.send?.(message));

const host = await createHost({
  data: String(data),
  config: { servers: { guarded: { transport: 'http', url, trust: 'trusted' } } },
});
(parentPort ?? process).once('message', async () => {
  const result = await host
    .call({ server: 'guarded', tool: 'echo' }, { text: `hello ${index}` })
    .then(({ output }) => output, String);
  await host.close();
  say(String(result));
  process.disconnect?.();
});
say('ready');

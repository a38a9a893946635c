/** A scripted model in a thread of its own, so that what it costs is not counted: a call of a tool, then an answer. */
import { parentPort } from 'node:worker_threads';
import { startModel } from '../../packages/testkit/src/model/index.ts';

const ANSWER = 'The tool says that all of it is as it should be, and nothing else has to be done. '.repeat(10);

const model = await startModel();
parentPort?.on('message', (conversations: number) => {
  for (let count = 0; count < conversations; count++) {
    model.say({ calls: [{ name: 'look', args: { what: 'everything' } }] }, { text: ANSWER });
  }
});
parentPort?.postMessage(model.url);

import { approveLock } from '@junctor/core';
import { JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { diffText, inspectionDocument, sizeOf } from './describe.ts';
import { inspect, tellFailures } from './inspect.ts';

export const lockWrite = defineCommand({
  details: `Writes junctor.lock beside the config file: every tool that its servers offer now counts as approved. Keep it in
version control. From then on a tool that is new, or no longer what it was, is neither offered nor called until
somebody approves it. A lockfile that exists is not overwritten: what would change is shown instead.`,
  async run(context) {
    const found = await inspect(context);
    const { file, lock, changes, now, failed } = found;
    const document = inspectionDocument(found);
    if (now.servers.size === 0 && failed.length > 0 && !lock) {
      tellFailures(context, found, 'so there is nothing to lock');
      throw new JunctorError('connection_failed', `No server could be asked: ${file} was not written.`, {
        hint: 'mend what is named above, then try again',
      });
    }
    if (now.servers.size === 0 && !lock) {
      context.answer({ json: { ...document, state: 'nothing' }, text: `no MCP servers to lock in ${file}` });
      return 0;
    }
    if (!lock) {
      await approveLock(found, changes);
      context.answer({ json: { ...document, state: 'written' }, text: `wrote ${file}: ${sizeOf(found)}` });
      return tellFailures(context, found, 'so its tools stay hidden until they are approved');
    }
    const state = changes.length === 0 ? 'current' : 'differs';
    const text = changes.length === 0 ? `${file} is up to date: ${sizeOf(found)}` : diffText(changes);
    context.answer({ json: { ...document, state }, text });
    const code = tellFailures(context, found, 'so what is locked of it stays');
    if (changes.length === 0) return code;
    context.talk(`${file} was not changed. To approve all of this: junctor lock approve`);
    return 3;
  },
});

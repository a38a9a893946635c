import { JunctorError } from '@junctor/core';
import { defineCommand } from '../../command.ts';
import { secretsOf } from './open.ts';

export const secretRemove = defineCommand({
  words: ['secret', 'remove'],
  summary: 'Remove a secret. Servers that name it are off until it is set again.',
  positionals: ['NAME'],
  async run(context, { words: [name = ''] }) {
    const { nearest } = await import('@junctor/core/inside');
    const secrets = await secretsOf(context);
    if (!(await secrets.remove(name))) {
      const near = nearest(name, await secrets.list());
      throw new JunctorError('secret_unknown', `There is no secret '${name}'.`, {
        hint: near ? `did you mean '${near}'?` : 'junctor secret list',
      });
    }
    context.answer({ json: { name, removed: true }, text: `removed secret '${name}'` });
  },
});

import { JunctorError, nearest } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { secretsOf } from '../../config-files/secrets-of.ts';

export const secretRemove = defineCommand({
  async run(context, { words: [name = ''] }) {
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

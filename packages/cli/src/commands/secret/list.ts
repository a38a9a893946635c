import { defineCommand } from '../../command.ts';
import { table } from '../../output/table.ts';
import { secretsOf } from './open.ts';

export const secretList = defineCommand({
  async run(context) {
    const secrets = await secretsOf(context);
    const listed = await secrets.listPlaces();
    context.answer({
      json: { secrets: listed, store: await secrets.place() },
      text:
        listed.length === 0
          ? 'no secrets stored'
          : table(
              ['NAME', 'STORE'],
              listed.map(({ name, store }) => [name, store]),
            ),
    });
  },
});

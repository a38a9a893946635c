import { defineCommand } from '../../command.ts';
import { secretsOf } from '../../config-files/secrets-of.ts';
import { table } from '../../output/table.ts';

export const secretList = defineCommand({
  async run(context) {
    const secrets = await secretsOf(context);
    const listed = await secrets.listPlaces();
    context.answer({
      json: { secrets: listed, store: 'file', key: await secrets.nextKey() },
      text:
        listed.length === 0
          ? 'no secrets stored'
          : table(
              ['NAME', 'STORE', 'KEY'],
              listed.map(({ name, store, key }) => [name, store, key ? KEYS[key] : '']),
            ),
    });
  },
});

const KEYS = { keyring: 'keyring', passphrase: 'JUNCTOR_SECRET_KEY', key_file: 'key file' } as const;

import { resolve } from 'node:path';
import { dataDirectory } from '@junctor/core/light';
import { backUp } from '@junctor/hub';
import { defineCommand } from '../../command.ts';
import { HubRest } from '../../hub/hub-rest.ts';

interface Health {
  readonly store: { readonly kind: 'sqlite' | 'postgres'; readonly place: string };
}

export const hubBackup = defineCommand({
  details: `The hub may run meanwhile. DIR must not exist yet; it becomes a data directory that a hub can be started on:
  junctor hub --data DIR
Config files and the key of your secrets are not in it: keep them too, the key apart from the copy.`,
  async run(context, { words: [directory = ''] }) {
    const { surroundings, global } = context;
    const hub = await HubRest.find(context);
    const store = (await hub?.ask<Health>('/api/health'))?.store;
    const elsewhere = store?.kind === 'postgres' ? store.place : undefined;
    const copy = await backUp({
      dataDirectory: dataDirectory(surroundings, global.data),
      target: resolve(surroundings.cwd, directory),
      withDatabase: elsewhere === undefined,
    });
    if (elsewhere !== undefined)
      context.talk(
        `the rest lies in PostgreSQL, and is not in the copy: pg_dump --format=custom '${elsewhere}' > hub.dump`,
      );
    context.answer({
      json: { ...copy, database: elsewhere ?? null },
      text: `copied ${copy.files.length} file(s), ${copy.bytes} bytes, to ${copy.directory}`,
    });
    return 0;
  },
});

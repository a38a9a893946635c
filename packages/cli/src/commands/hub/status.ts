import { dataDirectory } from '@junctor/core/light';
import { findHub } from '@junctor/hub';
import { defineCommand } from '../../command.ts';

export const hubStatus = defineCommand({
  details: 'Exit code 0: a hub runs on this data directory. 1: none does.',
  async run(context) {
    const hub = await findHub(dataDirectory(context.surroundings, context.global.data));
    context.answer({
      // The token in the same file is for Junctor's own commands: it is not shown.
      json: hub ? { running: true, url: hub.url, pid: hub.pid, version: hub.version } : { running: false },
      text: hub
        ? `a hub runs at ${hub.url} (process ${hub.pid}, version ${hub.version})`
        : 'no hub runs on this data directory',
    });
    return hub ? 0 : 1;
  },
});

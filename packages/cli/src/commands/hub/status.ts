import { dataDirectory } from '@junctor/core/light';
import { findHub, type HubFile, type Served } from '@junctor/hub';
import { defineCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { HubRest } from '../../hub/hub-rest.ts';
import { servedBy } from '../../hub/work-place.ts';

/** As much of the answer of `GET /api/projects` as is shown. */
interface Projects extends Served {
  readonly projects: readonly { readonly folder: string; readonly open: boolean; readonly sessions: number }[];
}

export const hubStatus = defineCommand({
  details: `Says which hub runs, which project it serves to clients that name none, and which others are open.
Exit code 0: a hub runs on this data directory. 1: none does.`,
  async run(context) {
    const data = dataDirectory(context.surroundings, context.global.data);
    const hub = await findHub(data);
    if (!hub) {
      context.answer({ json: { running: false, data }, text: `no hub runs on the data directory ${data}` });
      return 1;
    }
    const served = await projectsOf(context);
    context.answer({
      // The token in the same file is for Junctor's own commands: it is not shown.
      json: { running: true, url: hub.url, pid: hub.pid, version: hub.version, data, ...served },
      text: textOf(hub, data, served),
    });
    return 0;
  },
});

/** Undefined where the hub does not say: it is stuck, or of an earlier version. */
async function projectsOf(context: Context): Promise<Projects | undefined> {
  const hub = await HubRest.find(context);
  const { own, fixed, projects } = (await hub?.ask<Projects>('/api/projects').catch(() => undefined)) ?? {};
  if (own === undefined || fixed === undefined || projects === undefined) return undefined;
  const open = projects.flatMap(({ folder, open: isOpen, sessions }) =>
    isOpen ? [{ folder, open: isOpen, sessions }] : [],
  );
  return { own, fixed, projects: open };
}

function textOf({ url, pid, version }: HubFile, data: string, served: Projects | undefined): string {
  const lines = [`a hub runs at ${url} (process ${pid}, version ${version})`, `  data     ${data}`];
  if (!served) return lines.join('\n');
  const others = served.projects.map(
    ({ folder, sessions }) => `  project  ${folder} (${sessions === 1 ? '1 session' : `${sessions} sessions`})`,
  );
  return [...lines, `  serves   ${servedBy(served)}`, ...others].join('\n');
}

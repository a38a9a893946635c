/** Servers whose tools a search cannot find, each with the reason and what would help, in words for a model. */
import type { AbsentServer } from '../../catalogue/search-mode/tool-texts.ts';
import { inBrief } from '../../resolve/availability.ts';
import type { Host } from '../host.ts';

export function absentServers(host: Host, concerns: (server: string) => boolean = () => true): AbsentServer[] {
  const connecting = host.links.ids
    .filter(server => {
      const state = host.links.state(server);
      return state.kind === 'connecting' && !state.lastError;
    })
    .map(server => ({ server, because: `${inBrief('connecting')}; search again in a moment` }));
  const failed = host.failures().map(({ server, error }) => {
    const step = host.stepForPerson(error);
    const hint = step === undefined ? '' : ` A person can help: ${step}`;
    return { server, because: `${inBrief(error)}. ${host.mask(error.message)}${hint}` };
  });
  return [...connecting, ...failed].filter(({ server }) => concerns(server));
}

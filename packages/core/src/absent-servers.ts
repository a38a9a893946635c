/** Servers whose tools a search cannot find, each with the reason and what would help, in words for a model. */
import type { AbsentServer } from './catalogue/search-mode/tool-texts.ts';
import type { HostCalls } from './host-calls.ts';

export function absentServers(host: HostCalls, concerns: (server: string) => boolean = () => true): AbsentServer[] {
  const connecting = host.links.ids
    .filter(server => host.links.state(server).kind === 'connecting')
    .map(server => ({ server, because: 'still connecting; search again in a moment' }));
  const failed = host.failures().map(({ server, error }) => {
    const needs = error.code === 'auth_required' ? 'needs a login' : 'failed';
    const step = host.stepForPerson(error);
    const hint = step === undefined ? '' : ` A person can help: ${step}`;
    return { server, because: `${needs}. ${host.mask(error.message)}${hint}` };
  });
  return [...connecting, ...failed].filter(({ server }) => concerns(server));
}

/** Whether a URL can be that of a server. */
import type { FoundProblem } from './problem.ts';
import type { RemoteServerDef } from './server-schema.ts';
import { shown } from './shown-value.ts';
import { parseTemplate } from './template.ts';

const URL_PROTOCOLS: Readonly<Record<RemoteServerDef['transport'], readonly string[]>> = {
  http: ['http:', 'https:'],
  streamable_http: ['http:', 'https:'],
  sse: ['http:', 'https:'],
  ws: ['ws:', 'wss:'],
};

/** A URL that is wrong as it stands. One with variables is judged when they are known. */
export function badUrl(
  id: string,
  { url, transport }: Pick<RemoteServerDef, 'url' | 'transport'>,
): FoundProblem | undefined {
  if (parseTemplate(url).some(part => part.kind !== 'text')) return undefined;
  const protocols = URL_PROTOCOLS[transport];
  if (URL.canParse(url) && protocols.includes(new URL(url).protocol)) return undefined;
  const starts = protocols.map(protocol => `${protocol}//`).join(' or ');
  return {
    message: `The url of ${transport} server '${id}' is not one that starts with ${starts}. Found ${shown(url, ['url'])}.`,
    found: shown(url, ['url']),
    expected: `a URL that starts with ${starts}`,
    fix: 'Give the whole URL of its endpoint.',
  };
}

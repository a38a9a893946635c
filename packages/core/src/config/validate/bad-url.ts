/** Whether a URL can be that of a server, and whether a text can take the place of its host. */
import type { FoundProblem } from '../problem.ts';
import type { RemoteServerDef } from '../schema/server-schema.ts';
import { parseTemplate } from '../template.ts';
import { shown } from './shown-value.ts';

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
  const wrong = protocols.some(protocol => url.toLowerCase().startsWith(`${protocol}//`))
    ? badAuthority(url)
    : { message: `is not one that starts with ${starts}`, fix: 'Give the whole URL of its endpoint.' };
  return {
    message: `The url of ${transport} server '${id}' ${wrong.message}. Found ${shown(url, ['url'])}.`,
    found: shown(url, ['url']),
    expected: `a URL that starts with ${starts}`,
    fix: wrong.fix,
  };
}

/** The protocol is right, and the rest is no URL: the port, or the host. */
function badAuthority(url: string): { readonly message: string; readonly fix: string } {
  const port = /^\w+:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(url)?.[1];
  if (port !== undefined && Number(port) > MAX_PORT)
    return { message: `has the port ${port}`, fix: `Give a port from 1 to ${MAX_PORT}.` };
  return { message: 'has no valid host', fix: 'Give the whole URL of its endpoint.' };
}

const MAX_PORT = 65_535;

/** `localhost`, `localhost:8000` or `[::1]:8000`: what a key of `http_url_rewrite` may be. */
export function isHost(text: string): boolean {
  if (!/^(?:\[[\da-f:.]+\]|[^\s/\\?#@:[\]]+)(?::\d{1,5})?$/i.test(text)) return false;
  return URL.canParse(`http://${text}`);
}

/** A host, or the beginning of a URL up to its host: what a value of `http_url_rewrite` may be. */
export function isHostOrOrigin(text: string): boolean {
  const [, host] = /^(?:https?|wss?):\/\/([^/]*)\/?$/i.exec(text) ?? [];
  return isHost(host ?? text);
}

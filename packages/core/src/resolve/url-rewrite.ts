/** Puts other hosts in the place of those a runtime cannot reach. Keys match a host, or host:port; never a part of one. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443', 'ws:': '80', 'wss:': '443' };

export function rewriteUrl(url: string, rewrites: Readonly<Record<string, string>>): string {
  if (Object.keys(rewrites).length === 0 || !URL.canParse(url)) return url;
  const parsed = new URL(url);
  const port = parsed.port || (DEFAULT_PORTS[parsed.protocol] ?? '');
  const byHost = new Map(Object.entries(rewrites).map(([host, target]) => [host.toLowerCase(), target]));
  const target = byHost.get(`${parsed.hostname}:${port}`) ?? byHost.get(parsed.hostname);
  if (target === undefined) return url;
  // The schema refuses such a target. A database of an earlier version may still hold one, and must not stop the hub.
  if (target.includes('://')) return URL.canParse(target) ? moved(parsed, new URL(target)) : url;
  const [host, newPort] = splitPort(target);
  parsed.hostname = host;
  if (newPort !== undefined) parsed.port = newPort;
  return parsed.href;
}

/** A target with a protocol says where everything goes; the path stays. */
function moved(url: URL, target: URL): string {
  url.protocol = target.protocol;
  url.hostname = target.hostname;
  url.port = target.port;
  return url.href;
}

function splitPort(target: string): [string, string | undefined] {
  const match = /^(.*?)(?::(\d+))?$/.exec(target);
  // A bare IPv6 address is full of colons that are no ports.
  if (target.startsWith('[') && target.endsWith(']')) return [target, undefined];
  return [match?.[1] ?? target, match?.[2]];
}

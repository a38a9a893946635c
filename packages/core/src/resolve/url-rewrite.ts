/** Puts other hosts in the place of those a runtime cannot reach. Keys match a host, or host:port; never a part of one. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443', 'ws:': '80', 'wss:': '443' };

export function rewriteUrl(url: string, rewrites: Readonly<Record<string, string>>): string {
  if (Object.keys(rewrites).length === 0 || !URL.canParse(url)) return url;
  const parsed = new URL(url);
  const port = parsed.port || (DEFAULT_PORTS[parsed.protocol] ?? '');
  const target = rewrites[`${parsed.hostname}:${port}`] ?? rewrites[parsed.hostname];
  if (target === undefined) return url;
  if (target.includes('://')) return moved(parsed, new URL(target));
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

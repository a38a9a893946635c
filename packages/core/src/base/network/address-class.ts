/** What kind of network an IP address belongs to. Pure. */
import { BlockList, isIP } from 'node:net';

/** `reserved`: nobody is reached there, or everybody at once. Clouds answer questions about a machine at `link-local`. */
export type AddressClass = 'public' | 'private' | 'loopback' | 'link-local' | 'reserved';

const RANGES: Readonly<Record<Exclude<AddressClass, 'public'>, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  'link-local': ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128', '100.100.100.200/32'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15', 'fc00::/7', 'fec0::/10'],
  reserved: ['0.0.0.0/8', '192.0.0.0/24', '224.0.0.0/4', '240.0.0.0/4', '::/128', 'ff00::/8', '100::/64'],
};

/** In this order: the address of a cloud's metadata lies within a private range. */
const LISTS = (['loopback', 'link-local', 'private', 'reserved'] as const).map(kind => {
  const list = new BlockList();
  for (const range of RANGES[kind]) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return [kind, list] as const;
});

/** `address`: four numbers or IPv6, without brackets. */
export function addressClass(address: string): AddressClass {
  const family = isIP(address);
  if (family === 0) return 'reserved';
  const embedded = family === 6 ? embeddedIPv4(address) : undefined;
  if (embedded !== undefined) return addressClass(embedded);
  const found = LISTS.find(([, list]) => list.check(address, family === 6 ? 'ipv6' : 'ipv4'));
  return found?.[0] ?? 'public';
}

/** An IPv4 address that an IPv6 address leads to: mapped, compatible, or translated by NAT64 or 6to4. */
function embeddedIPv4(address: string): string | undefined {
  const words = wordsOf(address);
  const [high = 0, low = 0] = words.slice(6);
  const startsWith = (...head: number[]): boolean => head.every((word, at) => words[at] === word);
  if (startsWith(0, 0, 0, 0, 0, 0xffff) || startsWith(0x64, 0xff9b, 0, 0, 0, 0)) return dotted(high, low);
  if (startsWith(0, 0, 0, 0, 0, 0) && (high !== 0 || low > 1)) return dotted(high, low);
  if (startsWith(0x2002)) return dotted(words[1] ?? 0, words[2] ?? 0);
  return undefined;
}

function wordsOf(address: string): number[] {
  const plain = (address.split('%')[0] ?? '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_whole, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map(word => word.toString(16)).join(':'),
  );
  const [head = '', tail] = plain.split('::');
  const read = (text: string): number[] => (text === '' ? [] : text.split(':').map(word => Number.parseInt(word, 16)));
  if (tail === undefined) return read(head);
  const [first, last] = [read(head), read(tail)];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

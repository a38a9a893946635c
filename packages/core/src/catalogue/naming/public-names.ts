/**
 * The public names of tools. A name is made from the server, the tool, the ids of all servers that could be there, and the
 * rule of whoever reads it, and from nothing else: it is the same whatever is connected, and in whatever order.
 *
 * The plain name, server and tool joined, is given where it fits the rule and could mean no other tool. Any other name ends
 * in a hash of its true identity, and no plain name looks like that: so a changed name is never one that another tool has.
 */
import { sha256 } from '../../base/sha256.ts';
import { commonRule, type Misfit, misfitOf, type NameRule } from './name-rule.ts';
import { slug } from './slug.ts';
import { type Joining, joiningOf, type NamingStrategy } from './strategy.ts';

export interface ToolIdentity {
  readonly server: string;
  readonly tool: string;
}

export interface GivenName {
  readonly name: string;
  /** Why it is not server and tool simply joined. */
  readonly because?: Misfit | 'ambiguous' | 'looks hashed' | 'taken' | undefined;
}

export interface NamingOptions {
  readonly strategy: NamingStrategy;
  /** Default: what every provider reads, and the signs of the strategy itself. */
  readonly rule?: NameRule | undefined;
  /** Ids of every server that could be there. */
  readonly servers: Iterable<string>;
}

/** What stands around the tools of a server. */
interface Frame {
  readonly server: string;
  readonly head: string;
  readonly end: string;
}

interface OwnFrame extends Frame {
  /** Frames of servers that a name of this one could as well be of. */
  readonly rivals: readonly Frame[];
}

/** Names the tools of one server after another. Pure: it remembers only what it worked out from its options. */
export class Namer {
  readonly joining: Joining;
  readonly rule: NameRule;
  /** What a changed part may hold: the signs of the strategy tell where a part ends, so they are not in it. */
  readonly #spelling: Pick<NameRule, 'characters' | 'forbidden'>;
  readonly #ids: ReadonlySet<string>;
  /** Sorted by head: those whose heads begin alike stand together. */
  readonly #frames: readonly Frame[];
  readonly #framesOf = new Map<string, OwnFrame>();

  constructor({ strategy, rule, servers }: NamingOptions) {
    this.joining = joiningOf(strategy);
    this.rule = rule ?? commonRule(this.joining.signs);
    const { signs = '' } = this.joining;
    const characters = new Set([...this.rule.characters].filter(sign => !signs.includes(sign)));
    this.#spelling = { characters, forbidden: this.rule.forbidden };
    this.#ids = new Set(servers);
    this.#frames = [...this.#ids].map(server => this.#frame(server)).sort(byHead);
  }

  plain({ server, tool }: ToolIdentity): string {
    return this.joining.before(server) + tool + this.joining.after(server);
  }

  name(identity: ToolIdentity): GivenName {
    if (this.joining.hashed) return { name: this.hashed(identity) };
    const { head, end } = this.#ownFrame(identity.server);
    const plain = head + identity.tool + end;
    const because = this.#whyNotPlain(identity, plain);
    return because === undefined ? { name: plain } : { name: this.hashed(identity), because };
  }

  /**
   * The tool's own name, for a strategy that leaves the server out. Undefined where it cannot be read, or looks like the name of
   * a tool of another server.
   */
  bareName({ server, tool }: ToolIdentity): string | undefined {
    if (!this.joining.bare || misfitOf(tool, this.rule) || looksHashed(tool, tool.length)) return undefined;
    for (let at = tool.indexOf('_'); at >= 0; at = tool.indexOf('_', at + 1)) {
      const id = tool.slice(0, at);
      if (id !== server && this.#ids.has(id)) return undefined;
    }
    return tool;
  }

  /** The name that ends in a hash. More digits tell apart what fewer do not. */
  hashed({ server, tool }: ToolIdentity, digits: number = HASH_DIGITS): string {
    const { before, after } = this.joining;
    const tail = `_${identityHash({ server, tool }, digits)}`;
    const room = this.rule.maxLength - before('').length - after('').length - tail.length;
    const toolFirst = before('') === '' && after('') !== '';
    const serverPart = this.#fitFirst(slug(server, this.#spelling), !toolFirst);
    const toolPart = this.#fitFirst(slug(tool, this.#spelling), toolFirst);
    // Half of the room is the tool's, where it needs so much: a name of the server alone would tell nothing.
    const cutServer = trimmed(serverPart.slice(0, Math.max(Math.floor(room / 2), room - toolPart.length)));
    const cutTool = trimmed(toolPart.slice(0, room - cutServer.length));
    return before(cutServer) + cutTool + tail + after(cutServer);
  }

  /** Server ids with which a name of this server could be read otherwise. */
  rivalsOf(server: string): readonly string[] {
    return this.#ownFrame(server).rivals.map(rival => rival.server);
  }

  /**
   * Servers that a tool of this name could be of, the likeliest first: the way back of `name`. Of names that are server and
   * tool joined there is at most one; a changed name holds only as much of its server as there was room for.
   */
  serversIn(name: string): readonly string[] {
    const joined = this.#frames.find(({ server, head, end }) => {
      const tool = within(name, head, end);
      return tool !== undefined && this.name({ server, tool }).name === name;
    });
    if (joined) return [joined.server];
    return this.#frames
      .map(({ server }) => ({ server, legible: this.#legible(server, name) }))
      .filter(({ legible }) => legible > 0)
      .sort((a, b) => b.legible - a.legible)
      .map(({ server }) => server);
  }

  /** How many characters of a server stand in a changed name. 0: the name is none of its names. */
  #legible(server: string, name: string): number {
    const { before, after } = this.joining;
    const part = this.#fitFirst(slug(server, this.#spelling), before('') !== '' || after('') === '');
    // The tail with the most digits leaves the least room, of which the server gets half at least.
    const room = this.rule.maxLength - before('').length - after('').length - Math.max(...ALL_DIGITS) - 1;
    for (let length = part.length; length >= Math.min(part.length, Math.floor(room / 2)) && length > 0; length--) {
      const cut = trimmed(part.slice(0, length));
      const tool = within(name, before(cut), after(cut));
      if (tool !== undefined && looksHashed(tool, tool.length)) return cut.length;
    }
    return 0;
  }

  #whyNotPlain({ server, tool }: ToolIdentity, plain: string): GivenName['because'] {
    const { rule, joining } = this;
    if (joining.signs !== undefined && tool.includes(joining.signs)) return 'characters';
    const misfit = misfitOf(plain, rule);
    if (misfit) return misfit;
    const { end, rivals } = this.#ownFrame(server);
    if (looksHashed(plain, plain.length - end.length)) return 'looks hashed';
    const isRead = (other: Frame): boolean => within(plain, other.head, other.end) !== undefined;
    return rivals.length > 0 && rivals.some(isRead) ? 'ambiguous' : undefined;
  }

  #ownFrame(server: string): OwnFrame {
    let own = this.#framesOf.get(server);
    if (!own) {
      const frame = this.#frame(server);
      own = { ...frame, rivals: this.#rivals(frame) };
      this.#framesOf.set(server, own);
    }
    return own;
  }

  #rivals({ server, head, end }: Frame): readonly Frame[] {
    const rivals: Frame[] = [];
    for (let at = firstFrom(this.#frames, head); this.#frames[at]?.head.startsWith(head); at++) {
      const other = this.#frames[at] as Frame;
      if (other.server !== server && other.end.endsWith(end)) rivals.push(other);
    }
    return rivals;
  }

  #frame(server: string): Frame {
    return { server, head: this.joining.before(server), end: this.joining.after(server) };
  }

  #fitFirst(part: string, standsFirst: boolean): string {
    const begins = (this.joining.before(part) || part).charAt(0);
    if (!standsFirst || this.rule.first.has(begins)) return part;
    return `${this.rule.first.has('x') ? 'x' : [...this.rule.first][0]}${part}`;
  }
}

/** What stands between the two; undefined where the name does not begin and end so. */
function within(name: string, head: string, end: string): string | undefined {
  const fits = name.length > head.length + end.length && name.startsWith(head) && name.endsWith(end);
  return fits ? name.slice(head.length, name.length - end.length) : undefined;
}

function byHead(a: Frame, b: Frame): number {
  return a.head < b.head ? -1 : a.head > b.head ? 1 : 0;
}

/** Where the heads begin that are this one, or come after it. */
function firstFrom(frames: readonly Frame[], head: string): number {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((frames[middle] as Frame).head < head) low = middle + 1;
    else high = middle;
  }
  return low;
}

const HASH_DIGITS = 8;
const ALL_DIGITS: readonly number[] = [HASH_DIGITS, 16, 24];

/** Whether what stands before this place ends as a name that was changed. */
function looksHashed(name: string, end: number): boolean {
  return ALL_DIGITS.some(digits => name[end - digits - 1] === '_' && /^[0-9a-f]+$/.test(name.slice(end - digits, end)));
}

/** The first hex digits of SHA-256 over server NUL tool. */
export function identityHash({ server, tool }: ToolIdentity, digits: number = HASH_DIGITS): string {
  return sha256(`${server}\0${tool}`).slice(0, digits);
}

/** Where a name was cut, or has lost its beginning, no sign is left hanging. */
function trimmed(part: string): string {
  return part.replace(/[_-]+$/, '') || part;
}

/** Public names for these tools, in the same order; no two are equal. */
export function publicNames(
  tools: readonly ToolIdentity[],
  strategy: NamingStrategy,
  { rule, servers }: { readonly rule?: NameRule | undefined; readonly servers?: Iterable<string> } = {},
): string[] {
  const namer = new Namer({ strategy, rule, servers: servers ?? new Set(tools.map(({ server }) => server)) });
  const alone = onlyOnce(tools.map(({ tool }) => tool));
  const nameOf = (identity: ToolIdentity): string =>
    (alone(identity.tool) ? namer.bareName(identity) : undefined) ?? namer.name(identity).name;
  return toldApart(tools, tools.map(nameOf), namer);
}

/** Says of a name whether it stands in the list once. */
export function onlyOnce(names: Iterable<string>): (name: string) => boolean {
  const seen = new Set<string>();
  const often = new Set<string>();
  for (const name of names) (seen.has(name) ? often : seen).add(name);
  return name => !often.has(name);
}

/** Two tools whose hashes begin alike get more of them, both: which came first must not matter. */
export function toldApart(tools: readonly ToolIdentity[], names: readonly string[], namer: Namer): string[] {
  let given = [...names];
  for (const digits of ALL_DIGITS.slice(1)) {
    const uses = new Map<string, number>();
    for (const name of given) uses.set(name, (uses.get(name) ?? 0) + 1);
    if (uses.size === given.length) return given;
    given = given.map((name, index) =>
      uses.get(name) === 1 ? name : namer.hashed(tools[index] as ToolIdentity, digits),
    );
  }
  return given;
}

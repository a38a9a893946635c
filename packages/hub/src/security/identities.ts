/** Finds out who sends a request, and whether too often. A hub token is known at once; all else may take a moment. */
import type { IncomingMessage } from 'node:http';
import { AGENT_ID } from '../agents/agent-config.ts';
import type { HubCommands } from '../commands.ts';
import { isHubProof, type ProvenRequest } from '../replicas/hub-proofs.ts';
import { HUB_PROOF_HEADER } from '../replicas/peer-door.ts';
import type { Bearer } from '../store/bearer.ts';
import { tokenDigest } from '../store/good-tokens.ts';
import type { TokenBook } from '../store/token-book.ts';
import { BY_HUB, byToken } from '../store/token-maker.ts';
import { principalOf } from '../visit/principal.ts';
import { bearerAt } from './access-token.ts';
import { cookieOf } from './cookies.ts';
import { type Identity, isRefused, type Known, type Refused } from './identity.ts';
import { CSRF_HEADER, isCsrf, type PageSessions } from './page-sessions.ts';
import { RateLimit, type RateLimitOptions } from './rate-limit.ts';
import type { ResourceServer } from './resource-server.ts';
import type { TokenEnds } from './token-ends.ts';

/** The other hubs on this database, by what they show with a request. Each gives the life of the hub. */
export interface HubsKnown {
  knows(proof: string, request: ProvenRequest): string | undefined;
  /** Also of one that has just begun. */
  lookUp(proof: string, request: ProvenRequest): Promise<string | undefined>;
}

export interface IdentitiesOptions {
  readonly tokens: TokenBook;
  readonly pages: PageSessions;
  readonly hubs?: HubsKnown | undefined;
  readonly resourceServer?: ResourceServer | undefined;
  readonly ends: TokenEnds;
  readonly commands: HubCommands;
  /** How often the owner of one credential may ask. */
  readonly rate?: RateLimitOptions | undefined;
}

/** Whoever has no good credential may ask so often: enough for a mistyped token, too little to look for one. */
const STRANGERS: RateLimitOptions = { perSecond: 20, burst: 500 };

/** So many owners of tokens are kept at hand: working one out costs as much as looking its token up. */
const MAX_PRINCIPALS = 1000;

export class Identities {
  readonly #options: IdentitiesOptions;
  readonly #rate: RateLimit | undefined;
  readonly #strangers = new RateLimit(STRANGERS);
  readonly #owners = new Map<string, Pick<Known, 'principal' | 'by'>>();

  constructor(options: IdentitiesOptions) {
    this.#options = options;
    this.#rate = options.rate && new RateLimit(options.rate);
  }

  identify(request: IncomingMessage, path: string): Identity | Promise<Identity> {
    const token = tokenOf(request) ?? (request.headers[HUB_PROOF_HEADER] as string | undefined);
    const approves = request.headers[APPROVED_HEADER] !== undefined;
    const known = token === undefined ? undefined : this.#known(token, approves, request);
    if (known) return this.#metered(known);
    return this.#other(token, request, path).then(identity =>
      isRefused(identity) ? this.#stranger(identity, request) : this.#metered(identity),
    );
  }

  /** Of a client that sends a hub token, and cannot send anything else. */
  ofToken(token: string): Identity {
    const known = this.#owner(token, false, this.#options.tokens.bearerOf(token));
    return known ? this.#metered(known) : { ...UNKNOWN_TOKEN, hint: hintAt('', this.#options.commands) };
  }

  #known(token: string, approves: boolean, request: IncomingMessage): Known | undefined {
    const { tokens, hubs } = this.#options;
    if (isHubProof(token)) return this.#hub(hubs?.knows(token, asked(request)));
    return this.#owner(token, approves, tokens.bearerOf(token));
  }

  async #lookUp(token: string, approves: boolean, request: IncomingMessage): Promise<Known | undefined> {
    const { tokens, hubs } = this.#options;
    if (isHubProof(token)) return this.#hub(await hubs?.lookUp(token, asked(request)));
    return this.#owner(token, approves, await tokens.lookUp(token));
  }

  /** One life of a hub is one owner, whatever it shows. */
  #hub(life: string | undefined): Known | undefined {
    return life === undefined ? undefined : this.#owner(`hub ${life}`, false, HUB);
  }

  #owner(token: string, approves: boolean, bearer: Bearer | undefined): Known | undefined {
    if (!bearer) return undefined;
    const approved = approves && bearer.kind === 'person';
    const { principal, by } = this.#ownerOf(bearer, token, approved);
    return approved ? { bearer, principal, by, approved } : { bearer, principal, by };
  }

  async #other(token: string | undefined, request: IncomingMessage, path: string): Promise<Identity> {
    const { resourceServer } = this.#options;
    const { host } = request.headers;
    if (token === undefined) return (await this.#atPage(request)) ?? this.#unknown(request, path);
    if (resourceServer && token.split('.').length === 3) return resourceServer.identify(token, path, host);
    const approves = request.headers[APPROVED_HEADER] !== undefined;
    // Made-up tokens must not cost the database anything once there were too many of them.
    if (this.#strangers.isEmpty(request.socket.remoteAddress ?? '')) return this.#unknown(request, path);
    return (await this.#lookUp(token, approves, request)) ?? this.#unknown(request, path);
  }

  /** A cookie counts for our own page only: pages on other ports of this machine send it along as well. */
  async #atPage(request: IncomingMessage): Promise<Identity | undefined> {
    const { pages } = this.#options;
    const cookie = cookieOf(request, pages.cookieName);
    const { origin, host } = request.headers;
    if (cookie === undefined || (origin !== undefined && hostOf(origin) !== host)) return undefined;
    const session = await pages.find(cookie);
    if (!session) return undefined;
    const changes = request.method !== 'GET' && request.method !== 'HEAD';
    if (changes && !isCsrf(session, request.headers[CSRF_HEADER])) {
      const sentence = `A change from the page needs the header ${CSRF_HEADER}.`;
      return { status: 403, code: 'token_refused', sentence, hint: 'take its value from GET /api/login', headers: {} };
    }
    const bearer: Bearer = { kind: 'person', ...(session.name === null ? {} : { name: session.name }) };
    const { principal } = this.#ownerOf(bearer, cookie);
    return { bearer, principal, by: session.made_by ?? BY_HUB.by, atPage: true, until: session.expires };
  }

  #unknown({ headers }: IncomingMessage, path: string): Refused {
    const { resourceServer } = this.#options;
    const sent = headers.authorization !== undefined;
    const refused = { ...(sent ? UNKNOWN_TOKEN : NO_TOKEN), hint: hintAt(path, this.#options.commands) };
    const challenge = resourceServer?.challenge(path, headers.host, sent ? refused.sentence : undefined);
    return challenge === undefined ? refused : { ...refused, headers: { 'www-authenticate': challenge } };
  }

  #metered(known: Known): Identity {
    this.#options.ends.seen(known);
    // Behind another hub are many clients, each of which it has measured.
    const wait = known.bearer.kind === 'hub' ? undefined : this.#rate?.take(known.principal);
    return wait === undefined ? known : tooOften(wait, 'with this token');
  }

  #stranger(refused: Refused, { socket }: IncomingMessage): Refused {
    const wait = this.#strangers.take(socket.remoteAddress ?? '');
    return wait === undefined ? refused : tooOften(wait, 'without a good token');
  }

  #ownerOf(bearer: Bearer, secret: string, approves = false): Pick<Known, 'principal' | 'by'> {
    const key = approves ? `approves ${secret}` : secret;
    const known = this.#owners.get(key);
    if (known !== undefined) return known;
    const digest = tokenDigest(secret);
    const by = this.#options.tokens.isOwn(digest) ? BY_HUB.by : byToken(digest);
    const owner = { principal: principalOf(bearer, digest, { approves }), by };
    if (this.#owners.size >= MAX_PRINCIPALS) this.#owners.clear();
    this.#owners.set(key, owner);
    return owner;
  }
}

const HUB: Bearer = { kind: 'hub' };

function asked({ method = '', url = '' }: IncomingMessage): ProvenRequest {
  return { method, path: url };
}

/** Sent by our own commands with a person's token, once that person has approved the call at the terminal. */
const APPROVED_HEADER = 'junctor-approved';

const NO_TOKEN: Omit<Refused, 'hint'> = {
  status: 401,
  code: 'token_required',
  sentence: 'The hub needs a token.',
  headers: { 'www-authenticate': 'Bearer' },
};

const UNKNOWN_TOKEN: Omit<Refused, 'hint'> = {
  ...NO_TOKEN,
  sentence: 'The hub does not know that token.',
};

/** Names the token that opens no more than the path needs: an agent is never sent for a person's. */
function hintAt(path: string, commands: HubCommands): string {
  const isForPeople = path === '/metrics' || path === '/api' || path.startsWith('/api/');
  const named = bearerAt(path);
  const agent = named?.kind === 'agent' && AGENT_ID.test(named.agent) ? named.agent : '<agent>';
  const command = commands.line(`hub token${isForPeople ? '' : ` --agent ${agent}`}`);
  const atPage = isForPeople ? `; in a browser, open the address that ${commands.line('hub page')} prints` : '';
  return `${command} prints one; send it as Authorization: Bearer …${atPage}`;
}

function tooOften(seconds: number, how: string): Refused {
  return {
    status: 429,
    code: 'rate_limited',
    sentence: `Too many requests came ${how}.`,
    hint: `wait ${seconds} s`,
    headers: { 'retry-after': String(seconds) },
  };
}

function tokenOf({ headers: { authorization } }: IncomingMessage): string | undefined {
  return authorization !== undefined && /^bearer /i.test(authorization) ? authorization.slice(7).trim() : undefined;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

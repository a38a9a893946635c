/**
 * The hub as a whole: its pipe, its database, its hosts, one HTTP server, one file that says where it is. Closing it leaves
 * nothing behind.
 */
import type { IncomingMessage } from 'node:http';
import { type Host, type HostOptions, JunctorError, VERSION } from '@junctor/core';
import { type ProgramCommand, removeOldBackups } from '@junctor/core/config-write';
import { http, Scope } from '@junctor/core/internal';
import { ownSurroundings } from '@junctor/core/light';
import { DEFAULT_GRACE_MS } from './about-hub.ts';
import type { FilesListener } from './agents/open-hosts.ts';
import type { WaitingCall } from './approvals/inbox.ts';
import type { HubCommands } from './commands.ts';
import { DoorBook } from './front/door-book.ts';
import { type ListenOptions, listenAt, shut } from './front/listen-at.ts';
import { LocalPipe } from './front/local-pipe.ts';
import { PageFiles } from './front/page-files.ts';
import { PipeReception } from './front/pipe-reception.ts';
import type { ErrandRunner } from './front/pipe-words.ts';
import { Router } from './front/router.ts';
import { openRooms } from './open-rooms.ts';
import type { InstanceLimits } from './relay/instance-limits.ts';
import { peerAddress } from './replicas/peer-address.ts';
import { openSecurity } from './security/open-security.ts';
import type { RateLimitOptions } from './security/rate-limit.ts';
import { announceHub, findHub, withdrawHub } from './store/hub-file.ts';
import { BY_HUB } from './store/token-maker.ts';
import { newToken } from './store/token-terms.ts';
import type { ExporterOptions } from './traces/exporter.ts';
import { whenUnused } from './when-unused.ts';

export interface HubOptions extends ListenOptions {
  /** What every host of the hub is opened with. */
  readonly hostOptions: HostOptions;
  readonly dataDirectory: string;
  /** A person token from the hub's own environment. */
  readonly token?: string | undefined;
  /** `postgres://…`; without it the hub keeps its data in `hub.db` of the data directory. */
  readonly database?: string | undefined;
  /** What becomes of config files that change. */
  readonly onFiles?: FilesListener | undefined;
  /** How long calls and sessions are remembered; default 30 days. */
  readonly keepMs?: number | undefined;
  /** How many lives of a server there may be, and for how long nobody may use one. */
  readonly instances?: InstanceLimits | undefined;
  /** How many projects besides the hub's own may be open at once; default 64. */
  readonly maxProjects?: number | undefined;
  /** Told once no client was here for so long: whoever started the hub for clients ends it then. */
  readonly unused?: { readonly afterMs: number; readonly tell: () => void } | undefined;
  /** How long a call waits for a yes before it is denied; default 5 minutes. */
  readonly approvalWaitMs?: number | undefined;
  /** The address under which people and agents reach the hub, where something stands before it. */
  readonly publicUrl?: string | undefined;
  /** More names under which it is reached, as that of a service in a cluster. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Where other hubs on the same database reach this one. Default: where it listens. */
  readonly peerUrl?: string | undefined;
  /** An OpenID provider whose access tokens are taken besides our own. */
  readonly issuer?: string | undefined;
  /** How long tokens and logins last that are made with a token of the issuer. Default: as long as that token. */
  readonly issuerMakesForMs?: number | undefined;
  /** How often the owner of one token may ask. Default: as often as they like. */
  readonly rate?: RateLimitOptions | undefined;
  /** Where calls are followed across programs: an OpenTelemetry collector. */
  readonly traces?: ExporterOptions | undefined;
  /** How long calls that run may take to finish when the hub is closed; default 3 s. */
  readonly graceMs?: number | undefined;
  /** Where the files of the page lie. Default: there is no page. */
  readonly pageFolder?: string | undefined;
  /** What starts Junctor on this machine, for files of agents. Default: the command `junctor`. */
  readonly program?: ProgramCommand | undefined;
  /** Writes Junctor's commands so that they mean this hub. Default: as they are. */
  readonly commands?: HubCommands | undefined;
  /** Runs commands of this machine that ask the hub to, because it has loaded what they need. */
  readonly errands?: ErrandRunner | undefined;
  /** Told of each call that begins to wait for approval. */
  readonly onAsked?: ((call: WaitingCall) => void) | undefined;
  /** What the hub cannot do, in words for people. */
  readonly onProblem?: ((sentence: string) => void) | undefined;
}

/** What clients get that name no project. */
export interface Served {
  /** Somebody chose one config for every folder. */
  readonly fixed: boolean;
  /** The folder of the hub's own project; null where it has none. */
  readonly own: string | null;
}

export interface Hub extends AsyncDisposable {
  readonly url: string;
  /** An address of the page that logs a browser in, once. */
  newPageAddress(): Promise<string>;
  /** The host of all agents that have no config of their own. */
  readonly host: Host;
  readonly served: Served;
  /** Takes no new calls, lets those that run finish for a while, and ends everything. */
  close(): Promise<void>;
}

/** Idle clients keep their connection this long: opening a new one costs more than the call. */
const KEEP_ALIVE_MS = 75_000;

export async function startHub(options: HubOptions): Promise<Hub> {
  const { dataDirectory, unused } = options;
  const pipe = await LocalPipe.claim(dataDirectory);
  if (!pipe) throw await alreadyRunning(dataDirectory);
  const scope = new Scope();
  scope.defer(() => pipe.close());
  try {
    // What a hub that was killed left behind.
    await withdrawHub(dataDirectory);
    const token = newToken();
    const { begin, ...rooms } = await openRooms(options, scope);
    const { pages, tokens, ends, hubs } = rooms;
    tokens.accept(token, { kind: 'person' });
    if (options.token) tokens.accept(options.token, { kind: 'person' });
    const server = http.createServer({ keepAliveTimeout: KEEP_ALIVE_MS, shouldUpgradeCallback: wantsWebSocket });
    const url = await listenAt(server, options);
    scope.defer(() => shut(server));
    const peerUrl = options.database === undefined ? undefined : peerAddress(options.peerUrl ?? url);
    const front = openSecurity({ ...options, url, peerUrl, tokens, pages, ends, hubs });
    const { cwd } = options.hostOptions.surroundings ?? ownSurroundings();
    const page = new PageFiles(options.pageFolder);
    const doorBook = new DoorBook(rooms.book, rooms.doors, rooms.projects);
    const router = new Router({ ...rooms, ...front, doorBook, page });
    server.on('request', (request, response) => void router.answer(request, response));
    server.on('upgrade', (request, socket, head) => void router.upgrade(request, socket, head));
    scope.defer(() => rooms.doors.close());
    pipe.open(new PipeReception({ ...rooms, ...front, doorBook, own: token, cwd, errands: options.errands }));
    scope.defer(() => pipe.shut());
    await announceHub(dataDirectory, { url, socket: pipe.path, pid: process.pid, version: VERSION, token });
    scope.defer(() => withdrawHub(dataDirectory));
    // A hub may run for long while nobody exports anything.
    await removeOldBackups(dataDirectory);
    await begin(url, peerUrl);
    if (unused) scope.defer(whenUnused(rooms.doors.sessions, unused.afterMs, unused.tell));
    const close = async (): Promise<void> => {
      const { graceMs = DEFAULT_GRACE_MS } = options;
      await Promise.all([rooms.records.calls.finish(graceMs), rooms.doors.finishForPeers(graceMs)]);
      await scope.close();
    };
    return {
      url,
      newPageAddress: () => pages.newAddress(BY_HUB),
      host: rooms.book.common,
      served: { fixed: rooms.projects === undefined, own: rooms.ownProject ?? null },
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await scope.close();
    throw error;
  }
}

/** Clients in Java offer HTTP/2 with every request. Who offers what we do not have is answered as if they had not. */
function wantsWebSocket({ headers: { upgrade } }: IncomingMessage): boolean {
  return upgrade?.toLowerCase() === 'websocket';
}

async function alreadyRunning(dataDirectory: string): Promise<JunctorError> {
  const other = await findHub(dataDirectory);
  // It holds the pipe, but has not said where it is: it is starting, or about to end.
  if (!other) {
    return new JunctorError('hub_running', 'Another hub is starting or ending on this data directory.', {
      why: `its pipe is open: ${dataDirectory}`,
      hint: 'try again in a moment, or choose another --data directory',
    });
  }
  return new JunctorError('hub_running', `A hub already runs at ${other.url}.`, {
    why: `process ${other.pid} uses the data directory ${dataDirectory}`,
    hint: `use that one, end it with junctor hub stop --data ${dataDirectory}, or choose another --data directory`,
  });
}

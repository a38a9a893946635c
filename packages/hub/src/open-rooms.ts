/** What a hub is made of below its HTTP server: the database, what it remembers, its hosts, and what answers for them. */
import { GrantsFile } from '@junctor/core/config-write';
import { ConnectionPool, type Scope } from '@junctor/core/internal';
import { aboutHub } from './about-hub.ts';
import type { AgentBook, OpenHost } from './agents/agent-book.ts';
import { openHosts } from './agents/open-hosts.ts';
import { openProjects } from './agents/open-projects.ts';
import type { Projects } from './agents/projects.ts';
import { AllGrants } from './approvals/all-grants.ts';
import { Inbox } from './approvals/inbox.ts';
import { HubEvents } from './calls/hub-events.ts';
import { Records, type RecordsListener } from './calls/records.ts';
import { Doors } from './endpoint/doors.ts';
import { ServicePaths } from './front/service-paths.ts';
import type { HubOptions } from './hub.ts';
import { metricsText } from './metrics/metrics-text.ts';
import { AskingServers } from './relay/asking-servers.ts';
import type { ClientFeatures } from './relay/client-capabilities.ts';
import { DEFAULT_IDLE_MS } from './relay/instance-limits.ts';
import { ProcessSizes } from './relay/process-sizes.ts';
import { settleEstates } from './replicas/estate.ts';
import { inWords } from './replicas/in-words.ts';
import type { Leases, LeasesOptions } from './replicas/leases.ts';
import { Notices } from './replicas/notices.ts';
import { PeerEvents } from './replicas/peer-events.ts';
import { Peers } from './replicas/peers.ts';
import { Register } from './replicas/register.ts';
import type { SharedSignIns } from './replicas/shared-sign-ins.ts';
import { SharedTokens } from './replicas/shared-tokens.ts';
import { lazyRest } from './rest/lazy-rest.ts';
import { Removals } from './rest/removals.ts';
import { ToolShelf } from './rest/tool-shelf.ts';
import { endLoggedOut } from './security/end-logged-out.ts';
import { endRevoked } from './security/end-revoked.ts';
import { PageSessions } from './security/page-sessions.ts';
import { TokenEnds } from './security/token-ends.ts';
import { SignIns } from './sign-ins.ts';
import { ActRows } from './store/act-rows.ts';
import { AgentRows } from './store/agent-rows.ts';
import { ApprovalRows } from './store/approval-rows.ts';
import { databaseName } from './store/database-name.ts';
import { GrantRows } from './store/grant-rows.ts';
import { openStore } from './store/open-store.ts';
import { PageSessionRows } from './store/page-session-rows.ts';
import type { Store } from './store/store.ts';
import { TokenBook } from './store/token-book.ts';
import { TokenUses } from './store/token-uses.ts';
import { Exporter } from './traces/exporter.ts';
import { Tracer } from './traces/tracer.ts';

export interface HubRooms {
  readonly book: AgentBook;
  /** Undefined where the hub serves one config, whatever its clients work on. */
  readonly projects: Projects | undefined;
  /** The folder of the project that endpoints serve which name none. */
  readonly ownProject: string | undefined;
  readonly records: Records;
  readonly doors: Doors;
  readonly services: ServicePaths;
  readonly pages: PageSessions;
  readonly tokens: TokenBook;
  /** What is open with a token that ends by itself. */
  readonly ends: TokenEnds;
  /** The others on the same database, where there may be some. */
  readonly hubs: Register | undefined;
  /** From now on servers start: the hub is reachable under this address. */
  begin(url: string, peerUrl: string | undefined): Promise<void>;
}

/** Each is closed by the scope, newest first: what a call leaves behind at the very end is still written. */
export async function openRooms(options: HubOptions, scope: Scope): Promise<HubRooms> {
  const { dataDirectory, onFiles, onProblem = () => {} } = options;
  const store = await openStore(options);
  scope.defer(() => store.close());
  const notices = new Notices(store, onProblem);
  // Only PostgreSQL has room for several hubs.
  const register = store.kind === 'postgres' ? new Register({ store, notices, dataDirectory, onProblem }) : undefined;
  await register?.refuseNamesake();
  let events: HubEvents | undefined;
  const listener: RecordsListener = {
    get heard() {
      return events?.heard ?? false;
    },
    emit: (event: { readonly type: string }) => events?.emit(event),
  };
  const exporter = options.traces && new Exporter({ ...options.traces, onProblem });
  if (exporter) scope.defer(() => exporter.close());
  const tracer = exporter && new Tracer(exporter);
  const records = await Records.open({ store, dataDirectory, keepMs: options.keepMs, listener, onProblem, tracer });
  scope.defer(() => records.close());
  const approvalRows = new ApprovalRows(store);
  const inbox = new Inbox({ rows: approvalRows, dataDirectory, onProblem, onAsked: options.onAsked });
  await inbox.begin();
  scope.defer(() => inbox.settled());
  const leases = register && (await leasesOf({ store, register, notices, onProblem }));
  const { clock } = options.hostOptions;
  const ends = new TokenEnds();
  const connections = new ConnectionPool();
  scope.defer(() => connections.close());
  const expectedClient = await lastClient(records);
  const asking = await AskingServers.open({ store, notices, onProblem });
  scope.defer(() => asking.close());
  const doors = new Doors(records, {
    ...options.instances,
    ...{ connections, expectedClient, asking, clock, register, leases, ends },
  });
  const signIns = await signInsOf(options, store, notices);
  if (signIns) scope.defer(() => signIns.close());
  const { projects, ownProject } = await openProjects(options);
  const onHost = (opened: OpenHost, own: Scope): void => {
    const { host, agent, project } = opened;
    doors.admit(host, { project: project?.folder ?? ownProject, leased: project === undefined });
    own.defer(() => doors.dismiss(host));
    inbox.follow(host, agent);
    own.defer(() => inbox.forget(host));
    signIns?.follow(host);
    own.defer(() => signIns?.forget(host));
    events?.hear(opened);
    own.defer(() => events?.forget(host));
  };
  const agentRows = new AgentRows(store);
  // Somebody may always answer here: at the inbox.
  const approvals = { waitMs: options.approvalWaitMs };
  const tokenShelf = signIns && { tokenShelf: signIns.shelf };
  const secretRows =
    register &&
    (await (await import('./replicas/open-secret-rows.ts')).openSecretRows(store, options.hostOptions, onProblem));
  const grants = new AllGrants({ rows: new GrantRows(store), file: new GrantsFile(dataDirectory), onProblem });
  const common = { ...tokenShelf, ...(secretRows && { secrets: secretRows }), grants };
  const hostOptions = { ...options.hostOptions, ...common, approvals };
  const hosts = await openHosts({
    rows: agentRows,
    hostOptions: { ...hostOptions, pool: connections },
    onHost,
    onServers: host => doors.serversChanged(host),
    onFiles,
    onProblem,
    publicUrl: options.publicUrl,
    isBusy: host => doors.isBusy(host),
    maxProjects: options.maxProjects,
    idleMs: options.instances?.idleMs ?? DEFAULT_IDLE_MS,
    onFolderGone(project) {
      const concerned = hosts.book.allHosts().filter(one => one.project?.id === project.id);
      doors.endAt(new Set(concerned.map(({ host }) => host)), `the folder ${project.folder} is gone`);
      hosts.book.closeProject(project.id);
    },
  });
  const { book } = hosts;
  scope.defer(() => hosts.close());
  scope.defer(notices.on('agents', agent => book.refresh(agent)));
  scope.defer(notices.on('secrets', () => book.reload()));
  scope.defer(notices.on('approvals', () => inbox.collect()));
  events = new HubEvents(book);
  if (register) events.extendTo(new PeerEvents(register, event => events?.relay(event)));
  register?.onReturn(() => {
    records.sessions.reassert();
    inbox.review().catch(error => onProblem(inWords(error)));
  });
  if (register) settleEstates(register, { records, approvalRows, emit: event => events?.emit(event) });
  scope.defer(() => events?.[Symbol.dispose]());
  const whose = register ? await databaseName(store) : dataDirectory;
  const tokens = new TokenBook(dataDirectory);
  const pages = new PageSessions(new PageSessionRows(store), whose, {
    isGood: digest => tokens.isGood(digest),
    several: register !== undefined,
  });
  const uses = new TokenUses(store, tokens, onProblem);
  scope.defer(() => uses.close());
  const services = new ServicePaths({
    rest: lazyRest({
      book,
      projects,
      ownProject,
      records,
      events,
      agentRows,
      approvalRows,
      inbox,
      instances: () => doors.report(),
      byPerson: (host, caller, ref) => doors.byPerson(host, caller, ref),
      isConnected: session => doors.sessions.isConnected(session),
      hostOptions,
      dataDirectory,
      pages,
      signIns: new SignIns(),
      shelf: new ToolShelf(),
      tokens,
      uses,
      acts: new ActRows(store),
      onProblem,
      about: aboutHub(options, store),
      removals: new Removals(),
      register,
      peers: new Peers(register),
      secretRows,
      sizes: new ProcessSizes(),
      watch: (watched, listener) => doors.watch(watched, listener),
    }),
    ends,
    issuerMakesForMs: options.issuerMakesForMs,
    unready: () => whyUnready(store, records.calls.closing || scope.signal.aborted),
    metrics: () =>
      metricsText({
        book,
        records,
        instances: () => doors.report(),
        approvalsWaiting: () => inbox.size,
        hubs: () => register && register.peers.length + 1,
        spans: () => exporter,
      }),
  });
  const sendAway = (principals: ReadonlySet<string>, reason: string): void => {
    doors.sendAway(principals, reason);
    services.sendAway(principals);
  };
  scope.defer(endRevoked(tokens, pages, sendAway));
  scope.defer(endLoggedOut(pages, notices, sendAway));
  if (register) {
    const shared = await SharedTokens.open({ store, database: whose, notices, book: tokens, onProblem });
    scope.defer(() => shared[Symbol.dispose]());
  }
  return {
    book,
    projects,
    ownProject,
    records,
    doors,
    services,
    pages,
    tokens,
    ends,
    hubs: register,
    async begin(url, peerUrl = url) {
      const leave = await register?.join(peerUrl);
      if (leave) scope.defer(leave);
      // Before it leaves: what it ran is begun elsewhere once it has ended here.
      if (leases) scope.defer(() => leases.close());
      leases?.begin();
      await hosts.begin(url);
    },
  };
}

/** Hubs that stand on one database have their sign-ins in common; any other has them in a file. */
async function signInsOf(
  { hostOptions, dataDirectory, onProblem = () => {} }: HubOptions,
  store: Store,
  notices: Notices,
): Promise<SharedSignIns | undefined> {
  if (!store.locks) return undefined;
  const { SharedSignIns } = await import('./replicas/shared-sign-ins.ts');
  return SharedSignIns.open({ store, locks: store.locks, notices, hostOptions, dataDirectory, onProblem });
}

/** What the client that came last could do, in an earlier run: most hubs serve the same clients again. */
async function lastClient({ sessionRows }: Records): Promise<ClientFeatures | undefined> {
  const rows = await sessionRows.list({ limit: LAST_SESSIONS });
  const last = rows.find(({ capabilities, protocol }) => capabilities !== null && protocol !== 'modern');
  return last?.capabilities ? (JSON.parse(last.capabilities) as ClientFeatures) : undefined;
}

/** Among so many somebody speaks the older era, if anybody does. */
const LAST_SESSIONS = 20;

async function leasesOf(options: LeasesOptions): Promise<Leases> {
  const { Leases } = await import('./replicas/leases.ts');
  return new Leases(options);
}

/** A hub that cannot keep what it does, or is about to end, should get no new clients. */
async function whyUnready(store: Store, closing: boolean): Promise<string | undefined> {
  if (closing) return 'the hub is closing';
  return store.db
    .selectFrom('migrations')
    .select('name')
    .limit(1)
    .execute()
    .then(
      () => undefined,
      () => 'the database does not answer',
    );
}

/** What REST answers from. */
import type { Caller, Host, HostOptions, ToolRef } from '@junctor/core';
import type { AgentBook } from '../agents/agent-book.ts';
import type { Projects } from '../agents/projects.ts';
import type { Inbox } from '../approvals/inbox.ts';
import type { HubEvents } from '../calls/hub-events.ts';
import type { Records } from '../calls/records.ts';
import type { Watched } from '../endpoint/doors.ts';
import type { InstanceReport } from '../relay/instance-report.ts';
import type { SeenListener } from '../relay/onlookers.ts';
import type { PersonConnection } from '../relay/person-connection.ts';
import type { ProcessSizes } from '../relay/process-sizes.ts';
import type { Peers } from '../replicas/peers.ts';
import type { Register } from '../replicas/register.ts';
import type { PageSessions } from '../security/page-sessions.ts';
import type { SignIns } from '../sign-ins.ts';
import type { ActRows } from '../store/act-rows.ts';
import type { AgentRows } from '../store/agent-rows.ts';
import type { ApprovalRows } from '../store/approval-rows.ts';
import type { SecretRows } from '../store/secret-rows.ts';
import type { TokenBook } from '../store/token-book.ts';
import type { TokenUses } from '../store/token-uses.ts';
import type { HubFacts } from './hub-facts.ts';
import type { Removals } from './removals.ts';
import type { ToolShelf } from './tool-shelf.ts';

export interface Rooms {
  readonly book: AgentBook;
  /** Undefined where the hub serves one config, whatever its clients work on. */
  readonly projects: Projects | undefined;
  /** The folder of the project that endpoints serve which name none. */
  readonly ownProject: string | undefined;
  readonly records: Records;
  readonly events: HubEvents;
  readonly agentRows: AgentRows;
  readonly approvalRows: ApprovalRows;
  readonly inbox: Inbox;
  /** Every life of every server now, and who uses it. */
  readonly instances: () => readonly InstanceReport[];
  /** Where a call runs that a person makes by hand. */
  readonly byPerson: (host: Host, caller: Caller, ref: ToolRef) => PersonConnection;
  /** Whether the client of a session of this hub is there now. */
  readonly isConnected: (session: string) => boolean;
  readonly hostOptions: HostOptions;
  readonly dataDirectory: string;
  /** Browsers that are logged in. */
  readonly pages: PageSessions;
  readonly signIns: SignIns;
  readonly shelf: ToolShelf;
  readonly tokens: TokenBook;
  /** When tokens were last used. */
  readonly uses: TokenUses;
  /** What people changed. */
  readonly acts: ActRows;
  readonly onProblem: (sentence: string) => void;
  readonly about: HubFacts;
  readonly removals: Removals;
  /** Of the hubs on this database, where there may be several. */
  readonly register: Register | undefined;
  readonly peers: Peers;
  /** What hubs on one database have in common; undefined where secrets lie in the data directory. */
  readonly secretRows: SecretRows | undefined;
  readonly sizes: ProcessSizes;
  /** Tells of the traffic of a server, until the function that comes back is called. */
  readonly watch: (watched: Watched, listener: SeenListener) => () => void;
}

// Who may attack Junctor and how, what stops it, and what proves that: clauses of docs/promises.md, or test files. The table of
// docs/threat-model.md comes from here, and `npm run attack` runs the tests.

export const THREATS = [
  {
    by: 'An agent',
    threat: 'sends an argument that makes the masking of secrets slow, and stops the hub for all others',
    defence: 'masking takes time that grows like the text; arguments above 1 MiB are cut first',
    proofs: ['12.6a', 'packages/core/src/growth.test.ts', 'packages/hub/src/growth.test.ts'],
  },
  {
    by: 'An agent',
    threat: 'sends an argument that makes a rule with several `*` slow',
    defence: 'globs are matched by one walk through the text',
    proofs: ['12.6b', 'packages/core/src/growth.test.ts'],
  },
  {
    by: 'An agent',
    threat: 'hides the harmful end of a long argument from the person who is asked',
    defence: 'every prompt shows both ends, and all of it on request; above 1 MiB length and SHA-256',
    proofs: ['12.6c', '12.6i'],
  },
  {
    by: 'An agent',
    threat: 'withdraws a question and asks another, so that a key meant for the first answers the second',
    defence: 'keys answer nothing for a second after another question took the place of one that vanished',
    proofs: ['12.6q'],
  },
  {
    by: 'An agent',
    threat: 'approves its own calls, or calls of others, inside its own client',
    defence:
      'the inbox answers unless `approves_in_client` is true; `always` never counts there, and a grant is for one agent',
    proofs: ['10.2a', '10.2b', '10.2d'],
  },
  {
    by: 'An agent',
    threat: 'calls a tool that its server never listed, or a method outside the protocol, past rules and filters',
    defence: 'only listed names and known methods reach the server; the call is written down with its agent',
    proofs: ['10.1a', '10.1b', '10.1c'],
  },
  {
    by: 'An agent',
    threat: 'uses endpoints, servers or REST paths that are not its own',
    defence: 'its token opens its endpoints and the servers of its roster, and no REST path',
    proofs: ['9.5e', '9.5f', '9.5g'],
  },
  {
    by: 'An agent',
    threat: 'comes with the token of a person',
    defence: '`connect`, the banner and 401 answers name an agent’s token',
    proofs: ['10.8g'],
  },
  {
    by: 'An agent',
    threat: 'hides a call by padding its arguments, or fills the database with them',
    defence: 'the first 4,000 characters masked, the length and SHA-256 are kept',
    proofs: ['10.8h', '10.8i'],
  },
  {
    by: 'An agent',
    threat: 'floods the inbox, or takes all sessions, instances or room for stored results',
    defence:
      'shares of each owner: 50 questions, 1,000 sessions, three quarters of the instances; the owner with the most loses results first',
    proofs: ['10.8j', '10.8k', '10.8l', '7.10g'],
  },
  {
    by: 'An agent',
    threat: 'takes over the session of another client, or reads and cancels its tasks',
    defence: 'sessions and tasks belong to the token and the endpoint that made them',
    proofs: ['12.6p', '11.1c', '7.2n'],
  },
  {
    by: 'An agent',
    threat: 'gets the servers of another project',
    defence: 'a session gets the layers of its own project',
    proofs: ['5.10f'],
  },
  {
    by: 'An agent',
    threat: 'declares capabilities or sends messages that end the hub',
    defence: 'only well-formed capabilities are passed on; no message ends the hub',
    proofs: ['10.1o'],
  },
  {
    by: 'A model',
    threat: 'suggests an expression that never ends',
    defence: 'a thread of its own matches lines and is ended after 10 s; file patterns are simple',
    proofs: ['12.6d', 'packages/chat/src/growth.test.ts'],
  },
  {
    by: 'A model',
    threat: 'runs any program through options of an allowed one (`git -c`, `find -exec`)',
    defence: 'such options are asked about',
    proofs: ['12.6e'],
  },
  {
    by: 'A server',
    threat: 'repeats the secrets it was given, plain or encoded, in errors, results and on stderr',
    defence: 'each form of each secret is masked in whatever Junctor prints, logs and keeps',
    proofs: ['12.6l', '12.6m', '12.6n'],
  },
  {
    by: 'A server',
    threat: 'exhausts memory with its lists, its lines or its events',
    defence:
      'lists up to 10,000 items and 32 MiB, lines up to their limit, 256 events or 1 MiB for a client that is away',
    proofs: ['2.9l', 'packages/core/src/connections/growth.test.ts', 'packages/hub/src/endpoint/event-log.test.ts'],
  },
  {
    by: 'A server',
    threat: 'hides text for the model in a large result',
    defence: 'results of untrusted servers are cleaned and marked at any size',
    proofs: ['9.7h'],
  },
  {
    by: 'A server',
    threat: 'sends sign-in to private, loopback or metadata addresses, or downgrades it',
    defence: 'only public addresses are followed, at the address that was checked; PKCE and https are needed',
    proofs: ['10.8o', '10.8p'],
  },
  {
    by: 'A server',
    threat: 'gets the sign-in of another server of the same id',
    defence: 'sign-ins are bound to address and issuer; one without an address goes to no server of a project',
    proofs: ['9.9a', '9.9b', '9.9g'],
  },
  {
    by: 'A server',
    threat: 'in a container or a pod gains rights there, or takes all of the machine',
    defence:
      'all capabilities dropped, no new privileges, the runtime’s seccomp filter, limits of memory, CPU and processes; `explain` names what is loosened',
    proofs: ['5.5q'],
  },
  {
    by: 'A server',
    threat:
      'in the sandbox reads files of the machine, leaves the sandbox through the kernel, or changes the cache of another one',
    defence:
      'programs of the system, its folder and what the settings name are shown, nothing else; a seccomp filter refuses namespaces, mounts, modules, tracing and io_uring; no capabilities, own processes, limits, a cache of its own',
    proofs: ['5.5r', 'e2e/rigs/executor-sandbox-confined.test.ts'],
  },
  {
    by: 'A server',
    threat:
      'that is meant for a container, another machine or a cluster runs on the hub’s machine, because its executor has no settings',
    defence: 'it is not started: only `local`, and executors with `"local": true`, start programs there',
    proofs: ['5.5o'],
  },
  {
    by: 'A web page',
    threat: 'sends requests to the hub, by another name of its address or with the cookie of the page',
    defence: 'Host and Origin are checked; the cookie is SameSite=Strict, and a change needs the CSRF header',
    proofs: ['9.5o', '9.5p', '9.5q', '9.5r'],
  },
  {
    by: 'A web page',
    threat: 'on the same host, or below the same name, reads the cookie or the answers of the API',
    defence: 'the cookie is bound to the path of the hub; answers forbid other origins',
    proofs: ['10.8q', '10.8r'],
  },
  {
    by: 'A local user',
    threat: 'or a program, or a page of another port, uses the agent behind `mcp-server --http`',
    defence: 'a token for every request, Host and Origin checked, 4 MiB at most',
    proofs: ['12.6f'],
  },
  {
    by: 'A local user',
    threat: 'reads tokens in copies of agents’ files, in config files, or in the arguments of processes',
    defence: 'mode 0600, ten copies, 90 days; literal tokens go to the secret store; none in arguments',
    proofs: ['12.6j', '9.9e', '12.6n'],
  },
  {
    by: 'A repository',
    threat: 'starts its programs, reads secrets or changes rules and settings when somebody opens it',
    defence: 'nothing of a project counts before a person approved that very text, but for what takes away',
    proofs: ['1.13a', '1.13b', '1.13d', '1.13f'],
  },
  {
    by: 'A repository',
    threat: 'hides what its servers do behind a long definition',
    defence: '`trust`, `trust add` and chat show every field whole, and what the server receives',
    proofs: ['12.6h'],
  },
  {
    by: 'A repository',
    threat: 'becomes the home directory because `HOME` or `XDG_*` is empty or relative',
    defence: 'such variables are not used; the home directory of the account counts',
    proofs: ['12.6g'],
  },
  {
    by: 'A repository',
    threat: 'holds a named pipe or a link to a device in the place of a config file',
    defence: 'only regular files are read',
    proofs: ['12.6k'],
  },
  {
    by: 'A person',
    threat: 'whose token was revoked stays through logins and tokens made with it',
    defence: 'tokens and logins remember who made them, and end with it',
    proofs: ['10.8a', '10.8b', '10.8c'],
  },
  {
    by: 'A person',
    threat: 'changes something as an administrator, and nobody knows who',
    defence: 'every REST route that changes something writes an act',
    proofs: ['10.8m', '10.8n', 'packages/hub/src/rest/every-act.test.ts'],
  },
  {
    by: 'A stranger',
    threat: 'finds a token in the environment of the hub, by guessing, or in its log',
    defence:
      'only `JUNCTOR_HUB_TOKEN` of 32 characters or more counts; the login address goes to a terminal alone, for ten minutes; wrong tokens are refused without a look',
    proofs: ['9.5h', '10.8f', 'e2e/hub/security.test.ts'],
  },
  {
    by: 'A hub peer',
    threat: 'or somebody who overhears one, uses what hubs show each other; made-up proofs burden the database',
    defence:
      'a proof is signed for one request, good once and for a minute; the database is asked once a second at most',
    proofs: ['10.8s', 'packages/hub/src/replicas/used-once.test.ts'],
  },
  {
    by: 'The supply chain',
    threat: 'brings a changed package, or code whose licence nobody saw',
    defence:
      'exact versions and hashes, an SBOM, signatures where the registry answers, a list of licences, notices in what is published',
    proofs: ['12.6o'],
  },
];

import { join } from 'node:path';
import { agentNaming } from '@junctor/core/internal';
import { dataDirectory, JunctorError, VERSION, visibleText } from '@junctor/core/light';
import { type Hub, type HubOptions, otlpSettings, startHub, TokenBook } from '@junctor/hub';
import { defineCommand, type OptionSpecs, type ParsedOptions } from '../../command.ts';
import { type Context, hostOptions } from '../../context.ts';
import { hubCommands } from '../../hub/hub-commands.ts';
import { type HubLog, openHubLog, tellEnd } from '../../hub/hub-log.ts';
import { surviveUnexpectedErrors } from '../../hub/unexpected-errors.ts';
import { servedBy } from '../../hub/work-place.ts';
import { interrupted } from '../../interrupted.ts';
import { portNumber, wholeNumber } from '../../number-option.ts';
import { ownProgram } from '../../own-program.ts';

/** Below this a token could be guessed. `junctor hub token` makes longer ones. */
const MIN_TOKEN_CHARS = 32;

const DEFAULT_ADDRESS = '127.0.0.1';
const DEFAULT_PORT = 7717;

const OPTIONS = {
  host: { value: 'ADDRESS', help: `where to listen (default: ${DEFAULT_ADDRESS}, this machine only)` },
  port: { value: 'PORT', help: `which port (default: ${DEFAULT_PORT}; 0: a free one)` },
  'any-port': { help: 'take a free port where that one is in use' },
  'end-unused': { value: 'SECONDS', help: 'end once no client was here for so long (default: never)' },
  'no-project': {
    help: 'serve your own servers at /mcp/<agent>, of no project (default: those of the project of this folder too)',
  },
  'max-projects': { value: 'NUMBER', help: 'how many other projects may be open at once (default: 64)' },
  'max-instances': {
    value: 'NUMBER',
    help: 'how often a server may run at once, once for each session (default: 64)',
  },
  'instance-idle': {
    value: 'SECONDS',
    help: 'ends a server that nobody used for this long; it starts again on use (default: 600)',
  },
  'keep-calls': { value: 'DAYS', help: 'forget calls and sessions after so many days (default: 30)' },
  'approval-wait': { value: 'SECONDS', help: 'deny a call that nobody allowed after so long (default: 300)' },
  'public-url': {
    value: 'URL',
    help: 'the address under which the hub is reached, where something stands before it',
  },
  'allow-host': {
    value: 'NAME',
    many: true,
    help: 'one more name under which the hub is reached; may be given several times',
  },
  'peer-url': {
    value: 'URL',
    help: 'where other hubs on the same database reach this one (default: where it listens)',
  },
  issuer: { value: 'URL', help: 'take access tokens of this OpenID provider besides our own' },
  'issuer-tokens': {
    value: 'HOURS',
    help: 'tokens that people of the issuer make may last so long (default: as long as the token they made it with)',
  },
  'max-rate': { value: 'NUMBER', help: 'requests a second that the owner of one token may send (default: any)' },
  grace: { value: 'SECONDS', help: 'how long calls that run may take to finish when the hub ends (default: 3)' },
  'log-format': {
    value: 'FORMAT',
    help: 'text: lines for people; json: one object a line (default: log.format of the config, else text)',
  },
  database: {
    value: 'URL',
    help: 'keep data in this PostgreSQL, its password in PGPASSWORD or ~/.pgpass (default: hub.db in the data directory)',
  },
} as const satisfies OptionSpecs;

export const hubServe = defineCommand({
  options: OPTIONS,
  details: `Agents connect to http://127.0.0.1:7717/mcp/<agent> with a token of that agent: junctor hub token --agent ID.
The variable JUNCTOR_HUB_TOKEN, of at least ${MIN_TOKEN_CHARS} characters, holds a token that opens everything, for people.`,
  async run(context, given) {
    const log = await openHubLog(context, given.options['log-format']);
    return serve(context, given.options, log).catch(error => tellEnd(log, context, error));
  },
});

type ServeOptions = ParsedOptions<typeof OPTIONS>;

async function serve(context: Context, options: ServeOptions, { own: log, hosts }: HubLog): Promise<undefined> {
  using _boundary = surviveUnexpectedErrors(log);
  // Not ended by the signal themselves: the hub lets calls finish first.
  const { signal: _signal, ...settings } = hostOptions(context);
  // Clients of the hub speak the older era: its servers do so too where they can, and answers pass as they are.
  const projectFiles = options['no-project'] ? ('none' as const) : undefined;
  const hostSettings = {
    ...settings,
    log: hosts,
    naming: agentNaming,
    era: 'legacy' as const,
    projectFiles,
  };
  const unused = Promise.withResolvers<void>();
  const endAfterMs = secondsFrom('end-unused', options['end-unused']);
  const publicUrl = addressFrom('--public-url', options['public-url'])?.replace(/\/$/, '');
  const data = dataDirectory(context.surroundings, context.global.data);
  const { JUNCTOR_HUB_TOKEN, JUNCTOR_TOKEN } = context.surroundings.env;
  if (JUNCTOR_TOKEN)
    log.warn("JUNCTOR_TOKEN does not count here: it is an agent's variable. A person's token is JUNCTOR_HUB_TOKEN");
  await using hub = await startHub({
    hostOptions: hostSettings,
    dataDirectory: data,
    address: options.host ?? DEFAULT_ADDRESS,
    port: portNumber('port', options.port) ?? DEFAULT_PORT,
    anyPort: options['any-port'],
    unused: endAfterMs === undefined ? undefined : { afterMs: endAfterMs, tell: unused.resolve },
    token: JUNCTOR_HUB_TOKEN ? personToken(JUNCTOR_HUB_TOKEN, data) : undefined,
    database: databaseFrom(context, options.database),
    approvalWaitMs: secondsFrom('approval-wait', options['approval-wait']),
    publicUrl,
    allowedHosts: options['allow-host'].map(hostFrom),
    peerUrl: addressFrom('--peer-url', options['peer-url']),
    issuer: addressFrom('--issuer', options.issuer),
    issuerMakesForMs: hoursFrom('issuer-tokens', options['issuer-tokens']),
    rate: rateFrom(options['max-rate']),
    traces: tracesFrom(context),
    graceMs: secondsFrom('grace', options.grace),
    maxProjects: wholeNumber('max-projects', options['max-projects']),
    keepMs: daysFrom(options['keep-calls']),
    instances: {
      maxPerServer: wholeNumber('max-instances', options['max-instances']),
      idleMs: secondsFrom('instance-idle', options['instance-idle']),
    },
    program: ownProgram(),
    pageFolder: join(import.meta.dirname, 'page'),
    commands: hubCommands(context, data),
    errands: async (errand, signal) => (await import('../../run-errand.ts')).runErrand(errand, signal),
    onProblem: sentence => log.warn(sentence),
    onAsked: ({ id, server, tool, agent }) =>
      log.info(`${agent ?? 'a person'} waits for approval to call ${server}/${visibleText(tool)}: junctor approvals`, {
        approval: id,
      }),
    onFiles: {
      onReload: ({ added, removed, changed }, project) =>
        log.info('config changed', { ...filled({ added, removed, changed }), project }),
      onProblem: ({ message, code, why }, project) => log.warn(message, { code, why, project }),
    },
  });
  const { host } = hub;
  await announce(context, hub, { publicUrl, servers: host.links.ids });
  log.info('the hub listens', { url: hub.url, pid: process.pid, version: VERSION });
  for (const what of host.unapproved) log.warn(`does not count before you approve it (junctor trust list): ${what}`);
  for (const { id, because, kind } of host.resolution.leftOut) {
    if (kind !== 'off') log.warn(`left out '${id}': ${because}`, { server: id });
  }
  await Promise.race([interrupted(context.signal), unused.promise]);
  log.info('closing');
}

/** Everything opens with it: it must be long, and nobody may have given it to an agent or a monitor. */
function personToken(token: string, data: string): string {
  const hint = 'junctor hub token makes one; its output is a good value';
  if (token.length < MIN_TOKEN_CHARS)
    throw new JunctorError('usage', `JUNCTOR_HUB_TOKEN has fewer than ${MIN_TOKEN_CHARS} characters.`, {
      why: 'it opens everything, so nobody may be able to guess it',
      hint,
    });
  const bearer = new TokenBook(data).bearerOf(token);
  if (!bearer || bearer.kind === 'person') return token;
  const whose = bearer.kind === 'agent' ? `agent '${bearer.agent}'` : bearer.kind;
  throw new JunctorError('usage', `JUNCTOR_HUB_TOKEN is the token of ${whose}.`, {
    why: 'as a token of the hub it would open everything',
    hint,
  });
}

/** What stands in the URL may be a password. */
function databaseFrom(context: Context, url: string | undefined): string | undefined {
  if (url !== undefined && URL.canParse(url)) context.redactor.learn(decodeURIComponent(new URL(url).password));
  return url;
}

/** Headers for a collector mostly hold a key. */
function tracesFrom({ surroundings, redactor }: Context): HubOptions['traces'] {
  const settings = otlpSettings(surroundings.env);
  for (const value of Object.values(settings?.headers ?? {})) redactor.learn(value);
  return settings;
}

interface Reached {
  /** The address that agents use, where something stands before the hub. */
  readonly publicUrl: string | undefined;
  readonly servers: readonly string[];
}

async function announce(context: Context, hub: Hub, { publicUrl, servers }: Reached): Promise<void> {
  const { url, served } = hub;
  const command = context.commands.line('hub page');
  // Whoever reads the address is an administrator: it must not lie in a log.
  const page = process.stdout.isTTY ? await hub.newPageAddress() : undefined;
  context.answer({
    json: { url, ...(page !== undefined && { page }), pid: process.pid, servers, ...served },
    text: [
      `Junctor hub: ${url}`,
      `  page     ${page === undefined ? command : `${page}   (once, within 10 minutes; another: ${command})`}`,
      `  serves   ${servedBy(served)}`,
      `  servers  ${servers.length === 0 ? 'no MCP servers configured' : servers.join(', ')}`,
      `  agents   ${publicUrl ?? url}/mcp/<agent>   (claude-code, codex, cursor, … or default)`,
      `  token    ${context.commands.line('hub token --agent <agent>')}`,
    ].join('\n'),
  });
}

function filled(lists: Readonly<Record<string, readonly string[]>>): object {
  return Object.fromEntries(Object.entries(lists).filter(([, ids]) => ids.length > 0));
}

function addressFrom(option: string, text: string | undefined): string | undefined {
  if (text === undefined || /^https?:\/\//.test(text)) return text;
  throw new JunctorError('usage', `${option} needs an address that begins with https:// or http://, not '${text}'.`, {
    hint: `${option} https://hub.example.com`,
  });
}

/** A name alone: the port does not matter, and a star would let in every page of the web. */
function hostFrom(name: string): string {
  if (/^[\w-]+(\.[\w-]+)*$/.test(name)) return name;
  throw new JunctorError('usage', `--allow-host needs the name of a machine, not '${name}'.`, {
    hint: '--allow-host junctor.tools.svc',
  });
}

/** Twice as many at once, after a pause: clients ask in bursts. */
function rateFrom(text: string | undefined): { perSecond: number; burst: number } | undefined {
  const perSecond = wholeNumber('max-rate', text);
  return perSecond === undefined ? undefined : { perSecond, burst: perSecond * 2 };
}

function secondsFrom(option: string, text: string | undefined): number | undefined {
  const seconds = wholeNumber(option, text);
  return seconds === undefined ? undefined : seconds * 1000;
}

function hoursFrom(option: string, text: string | undefined): number | undefined {
  const hours = wholeNumber(option, text);
  return hours === undefined ? undefined : hours * 60 * 60_000;
}

function daysFrom(text: string | undefined): number | undefined {
  const days = wholeNumber('keep-calls', text);
  return days === undefined ? undefined : days * 24 * 60 * 60_000;
}

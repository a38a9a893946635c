/**
 * A definition as a person must see it before they approve it: every field whole, on lines of its own, and apart from
 * them what the server receives or may do. Nothing is cut: a cloned project chooses what stands at the beginning. Pure.
 */
import { visibleText } from '../../base/text/visible-text.ts';
import type { Definition } from '../layers.ts';
import { shownDefinition, textsOf } from '../masking/masking.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import { parseTemplate } from '../template.ts';

export interface Consent {
  /** `command: npx`, `args: -y`: one value a line. */
  readonly fields: readonly string[];
  /** What approving it gives away, a sentence each. */
  readonly receives: readonly string[];
}

export function consentTo({ definition, dialect }: Pick<Definition, 'definition' | 'dialect'>): Consent {
  const lines: string[] = [];
  addFields(lines, '', textsOf({ definition, dialect }), shownDefinition({ definition, dialect }));
  return { fields: lines, receives: receivedBy(definition) };
}

function addFields(lines: string[], name: string, value: unknown, masked: unknown): void {
  if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value);
    const entries = Object.entries(value);
    if (entries.length === 0) lines.push(`${name}: ${isList ? '[]' : '{}'}`);
    for (const [key, one] of entries) {
      const path = isList ? name : [...(name === '' ? [] : [name]), visibleText(key)].join('.');
      addFields(lines, path, one, (masked as Record<string, unknown> | undefined)?.[key]);
    }
  } else if (value !== undefined) lines.push(`${name}: ${visibleText(shownOf(value, masked))}`);
}

/** A program can hide behind the name of a secret, so only what looks like one is masked. */
function shownOf(value: unknown, masked: unknown): unknown {
  return typeof value === 'string' && typeof masked === 'string' && isOneWord(value) ? masked : value;
}

function isOneWord(text: string): boolean {
  return text.length <= 512 && /^(?:(?:bearer|basic|token) )?[\w.~+/=:@?&%-]+$/i.test(text);
}

function receivedBy(definition: McpServerDef): string[] {
  const remote = definition.transport === 'stdio' ? undefined : definition;
  const found = references(definition);
  const bearer = remote?.bearer_token_env_var;
  return [
    ...[...found.secrets].map(([name, at]) => `receives your secret '${name}' (${at})`),
    ...[...found.variables].map(([name, at]) => `receives your variable '${name}' (${at})`),
    ...(bearer === undefined ? [] : [`receives your variable '${visibleText(bearer)}' (bearer_token_env_var)`]),
    ...Object.keys(definition.env ?? {})
      .filter(name => CHANGES_PROGRAMS.test(name))
      .map(name => `sets ${visibleText(name)}, which can make its program load or start other code`),
    ...(isOfProject(definition.command)
      ? [`starts a program of this project: ${visibleText(definition.command)}`]
      : []),
    ...(definition.trust === 'trusted' ? ['is trusted: its tools run without asking you'] : []),
    ...(remote?.oauth ? ['signs in with the addresses and the client that it names itself (oauth)'] : []),
  ];
}

interface References {
  readonly secrets: Map<string, string>;
  readonly variables: Map<string, string>;
}

/** What is named anywhere, and the first field that names it. */
function references(
  value: unknown,
  at = '',
  found: References = { secrets: new Map(), variables: new Map() },
): References {
  if (typeof value === 'string') {
    for (const part of parseTemplate(value)) {
      if (part.kind === 'text') continue;
      const names = part.kind === 'secret' ? found.secrets : found.variables;
      if (!names.has(part.name)) names.set(part.name, at);
    }
  } else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) {
      const name = Array.isArray(value) ? at : [...(at === '' ? [] : [at]), visibleText(key)].join('.');
      references(one, name, found);
    }
  return found;
}

/** With one of these, the program that is named is not the only one that runs, or does not speak with whom it seems to. */
const CHANGES_PROGRAMS = new RegExp(
  `^(${[
    ...['LD_\\w+', 'DYLD_\\w+', 'GLIBC_TUNABLES', 'GCONV_PATH', 'PATH', 'PATHEXT', 'COMSPEC', 'SHELL', 'IFS', 'ENV'],
    ...[
      'BASH_ENV',
      'PROMPT_COMMAND',
      'NODE_\\w+',
      'NPM_CONFIG_\\w+',
      'BUN_\\w+',
      'DENO_\\w+',
      'PYTHON\\w+',
      'PIP_\\w+',
    ],
    ...['UV_\\w+', 'VIRTUAL_ENV', 'PERL\\w+', 'RUBY\\w+', 'GEM_\\w+', 'BUNDLE_\\w+', 'JAVA_TOOL_OPTIONS', 'CLASSPATH'],
    ...['_?JAVA_OPTIONS', 'JDK_JAVA_OPTIONS', 'DOTNET_\\w+', 'COR\\w*_PROFILER\\w*', 'PHPRC', 'PHP_INI_SCAN_DIR'],
    ...['LUA_\\w+', 'R_PROFILE\\w*', 'GIT_\\w+', 'SSH_ASKPASS', 'EDITOR', 'VISUAL', 'PAGER', 'BROWSER', 'DOCKER_\\w+'],
    ...[
      'KUBECONFIG',
      'HTTPS?_PROXY',
      'ALL_PROXY',
      'SSL_CERT_\\w+',
      'CURL_\\w+',
      'REQUESTS_CA_BUNDLE',
      'HOME',
      'XDG_\\w+',
    ],
  ].join('|')})$`,
  'i',
);

function isOfProject(command: string | undefined): command is string {
  return command !== undefined && /[/\\]/.test(command) && !/^([/\\]|[a-z]:[/\\]|\$\{)/i.test(command);
}

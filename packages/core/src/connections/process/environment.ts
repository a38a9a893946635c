/** What a started server sees of our environment: enough to run, nothing that could be a secret by accident. */
import { perTurn } from '../../base/time/per-turn.ts';

const PASSED_ON = new Set([
  // who and where
  'HOME',
  'LOGNAME',
  'PATH',
  'SHELL',
  'USER',
  'TERM',
  'TMPDIR',
  'TZ',
  'LANG',
  'LANGUAGE',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  'XDG_STATE_HOME',
  'XDG_RUNTIME_DIR',
  // Windows
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
  // the way out of a company network
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'AWS_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'NODE_USE_ENV_PROXY',
  'NODE_USE_SYSTEM_CA',
]);

export type Environment = Readonly<Record<string, string | undefined>>;

/** Names are compared as if in capitals: `http_proxy` is as common as `HTTP_PROXY`. What the config names wins. */
export function environmentFor(
  own: Environment,
  named: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const passed = passedOn(own);
  if (platform !== 'win32') return { ...passed, ...named };
  // On Windows `Path` and `PATH` are one variable; two of them in one environment, and chance decides.
  const taken = new Set(Object.keys(named).map(name => name.toUpperCase()));
  const others = Object.entries(passed).filter(([name]) => !taken.has(name.toUpperCase()));
  return { ...Object.fromEntries(others), ...named };
}

/** Each variable of our own process is a question to the system. */
const passedOn = perTurn((own: Environment): Readonly<Record<string, string>> => {
  const passed: Record<string, string> = {};
  for (const name of Object.keys(own)) {
    if (!(PASSED_ON.has(name.toUpperCase()) || name.startsWith('LC_'))) continue;
    const value = own[name];
    // A value that starts like a shell function would be run by a shell that inherits it.
    if (value !== undefined && !value.startsWith('() {')) passed[name] = value;
  }
  return passed;
});

/** What a started server sees of our environment: enough to run, nothing that could be a secret by accident. */
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
]);

export type Environment = Readonly<Record<string, string | undefined>>;

export function environmentFor(own: Environment, named: Readonly<Record<string, string>>): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    const known = PASSED_ON.has(name.toUpperCase()) || name.startsWith('LC_');
    // A value that starts like a shell function would be run by a shell that inherits it.
    if (known && value !== undefined && !value.startsWith('() {')) passed[name] = value;
  }
  return { ...passed, ...named };
}

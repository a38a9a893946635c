/** What a server in the sandbox of Linux sees of the system, all of it to read: a list, so that nothing else is seen. */

const PROGRAMS = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'],
  // Systems that keep programs elsewhere.
  ...['/nix/store', '/gnu/store', '/run/current-system/sw'],
];

/** How programs are found, names are looked up, certificates are checked and times are told. No passwords, no keys. */
const SETTINGS = [
  ...['alternatives', 'ca-certificates', 'ca-certificates.conf', 'pki', 'ssl', 'crypto-policies', 'fonts', 'terminfo'],
  ...[
    'gai.conf',
    'group',
    'host.conf',
    'hostname',
    'hosts',
    'ld.so.cache',
    'ld.so.conf',
    'ld.so.conf.d',
    'locale.alias',
  ],
  ...['locale.conf', 'localtime', 'magic', 'mime.types', 'nsswitch.conf', 'os-release', 'passwd', 'protocols'],
  ...[
    'python3',
    'resolv.conf',
    'services',
    'shells',
    'timezone',
    'debian_version',
    'java-17-openjdk',
    'java-21-openjdk',
  ],
].map(name => `/etc/${name}`);

export const SYSTEM: readonly string[] = [...PROGRAMS, ...SETTINGS];

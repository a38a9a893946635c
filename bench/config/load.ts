/** Loads the config below a home, in a fresh process; prints how long it took once everything was imported. */
import { join } from 'node:path';
import { loadMcpConfig, parseMcpConfig } from '@junctor/core';

const home = process.argv[2] as string;
const surroundings = {
  cwd: home,
  home,
  env: { XDG_CONFIG_HOME: join(home, 'config') },
  platform: process.platform,
  policyDirectory: home,
};
// The schema is loaded for the first config that needs it; the floor has imported its own before its clock starts, too.
parseMcpConfig({ version: 1, servers: {} });
const started = performance.now();
const { servers, problems } = await loadMcpConfig({ surroundings });
process.stdout.write(
  JSON.stringify({ ms: performance.now() - started, servers: servers.size, problems: problems.length }),
);

/** Loads the config below a home, in a fresh process; prints how long it took once everything was imported. */
import { join } from 'node:path';
import { loadMcpConfig } from '@junctor/core';

const home = process.argv[2] as string;
const surroundings = {
  cwd: home,
  home,
  env: { XDG_CONFIG_HOME: join(home, 'config') },
  platform: process.platform,
  policyDirectory: home,
};
const started = performance.now();
const { servers, problems } = await loadMcpConfig({ surroundings });
process.stdout.write(
  JSON.stringify({ ms: performance.now() - started, servers: servers.size, problems: problems.length }),
);

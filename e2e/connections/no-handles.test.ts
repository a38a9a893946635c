/** A program that has used up its file handles: it cannot start a server, and goes on with those it has. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { ROOT, testServer } from '@junctor/testkit';
import { expect, test } from 'vitest';

/** Few enough that the rest is soon used up, and enough to load all that is needed before. */
const HANDLES = 200;

const PROGRAM = `
  import { closeSync, openSync } from 'node:fs';
  import { createHost } from '@junctor/core';
  const config = { version: 1, servers: JSON.parse(process.argv[1]) };
  const host = await createHost({ config, attempts: 1 });
  const used = [];
  try {
    for (;;) used.push(openSync('/dev/null'));
  } catch {}
  const { code, why, hint } = await host.links.ready('echo').catch(error => error);
  for (const handle of used) closeSync(handle);
  const { greeting } = await host.links.reconnect('echo');
  await host.close();
  console.log(JSON.stringify([code, /EMFILE/.test(why), hint, greeting.serverInfo.name]));
`;

test.skipIf(process.platform === 'win32')(
  'a server that cannot be started for want of file handles takes nobody along',
  async () => {
    const servers = JSON.stringify({ echo: testServer() });
    const node = [process.execPath, '--input-type=module', '--conditions=junctor-source', '-e', PROGRAM, servers];
    const child = spawn('sh', ['-c', `ulimit -n ${HANDLES}; exec "$@"`, 'sh', ...node], { cwd: ROOT });
    const [said, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(complaints).not.toContain('Error');
    expect(JSON.parse(said)).toEqual([
      'connection_failed',
      true,
      'too many files and connections are open: close some, or raise the limit (ulimit -n)',
      'junctor-test-server',
    ]);
  },
);

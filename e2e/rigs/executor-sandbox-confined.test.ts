/** What a server in a real bubblewrap sees, may ask of the kernel, and keeps; and that servers of all kinds start in it. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHost, type Host } from '@junctor/core';
import { type Home, makeHome, misbehaving, promise, ROOT, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { hasBubblewrap } from '../../scripts/system-parts.mjs';

const MISSING = 'there is no bubblewrap here; to run it: apt-get install -y bubblewrap';

/** The smallest server: a line in, a line out. */
const PYTHON = `import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked: continue
    tools = [{"name": "hello", "inputSchema": {"type": "object"}}]
    version = asked.get("params", {}).get("protocolVersion")
    answers = {
        "initialize": {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "p", "version": "1"}},
        "tools/list": {"tools": tools},
        "tools/call": {"content": [{"type": "text", "text": "hello from python"}]},
    }
    known = answers.get(asked["method"])
    reply = {"result": known} if known is not None else {"error": {"code": -32601, "message": "unknown"}}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **reply}), flush=True)
`;

interface Inside {
  readonly home: Home;
  readonly servers: object;
  readonly sandbox?: object;
}

function hostIn({ home, servers, sandbox = {} }: Inside): Promise<Host> {
  const surroundings = { cwd: home.project, home: home.path, env: home.env, platform: process.platform };
  const config = { servers, executors: { sandbox: { sandbox: { readable: [ROOT], ...sandbox } } } };
  return createHost({ config, executor: 'sandbox', data: join(home.path, 'data'), surroundings, attempts: 1 });
}

const prowler = ({ project }: Home) => ({ ...trusted(misbehaving('prowls')), cwd: project });

async function ask(host: Host, tool: string, given = ''): Promise<string> {
  return (await host.call({ server: 'prowler', tool }, { given })).output;
}

describe('the sandbox of Linux', () => {
  promise('5.5r', 'shows a list of folders and no other, and refuses what changes the system', async ({ skip }) => {
    if (!hasBubblewrap()) skip(MISSING);
    await using home = await makeHome();
    const elsewhere = await mkdtemp('/var/lib/junctor-rig-');
    try {
      await writeFile(join(elsewhere, 'secret'), 'private');
      await using host = await hostIn({ home, servers: { prowler: prowler(home) } });
      const hidden = [
        join(elsewhere, 'secret'),
        '/etc/shadow',
        '/etc/machine-id',
        '/sys/kernel/notes',
        '/boot',
        '/var/log',
      ];
      for (const path of hidden)
        expect([path, await ask(host, 'run', `ls -d ${path}`)]).toEqual([path, expect.stringMatching(/^2: /)]);
      const root = (await ask(host, 'run', 'ls /')).replace('0: ', '').split('\n');
      const allowed = [
        'bin',
        'dev',
        'etc',
        'lib',
        'lib32',
        'lib64',
        'libx32',
        'proc',
        'run',
        'sbin',
        'tmp',
        'usr',
        'var',
      ];
      const named = [ROOT, home.path].map(path => path.split('/')[1]);
      expect(root.filter(name => !allowed.includes(name) && !named.includes(name))).toEqual([]);
      expect(await ask(host, 'write', '/prowler')).toBe('refused: EROFS');

      const status = await ask(host, 'read', '/proc/self/status');
      expect(status).toMatch(/^CapBnd:\s+0+$/m);
      expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
      expect(status).toMatch(/^Seccomp:\s+2$/m);
      const limits = await ask(host, 'read', '/proc/self/limits');
      expect(limits).toMatch(/^Max processes\s+1024\s/m);
      expect(limits).toMatch(/^Max core file size\s+0\s/m);
      for (const line of [
        'unshare --user true',
        'unshare --mount true',
        'mount -t tmpfs none /tmp',
        'nsenter --user=/proc/1/ns/user true',
      ])
        expect([line, await ask(host, 'run', line)]).toEqual([
          line,
          expect.stringMatching(/^[1-9]\d*: .*(not permitted|denied)/),
        ]);
      expect(await ask(host, 'run', 'ls /proc | grep -c "^[0-9]"')).toMatch(/^0: \d$/);
    } finally {
      await rm(elsewhere, { recursive: true });
    }
    const loose = { seccomp: 'unconfined', pids: 0 };
    await using open = await hostIn({ home, servers: { prowler: prowler(home) }, sandbox: loose });
    expect(await ask(open, 'read', '/proc/self/status')).toMatch(/^Seccomp:\s+0$/m);
    expect(await ask(open, 'read', '/proc/self/limits')).not.toMatch(/^Max processes\s+1024\s/m);
  });

  test('starts servers of Python and of npx, and each keeps a cache of its own where it has the network', async ({
    skip,
  }) => {
    if (!hasBubblewrap()) skip(MISSING);
    await using home = await makeHome();
    await home.write('project/server.py', PYTHON);
    await home.write('project/tool/package.json', { name: 'tool', version: '1.0.0', bin: { tool: './tool.js' } });
    const { command, args } = misbehaving('prowls');
    const run = `require('node:child_process').spawn(${JSON.stringify(command)}, ${JSON.stringify(args)}, { stdio: 'inherit' });`;
    await home.write('project/tool/tool.js', `#!/usr/bin/env node\n${run}\n`);
    const servers = {
      python: {
        transport: 'stdio',
        command: '/usr/bin/python3',
        args: ['server.py'],
        trust: 'trusted',
        cwd: home.project,
      },
      prowler: {
        ...{ transport: 'stdio', command: '/usr/bin/npx', args: ['--offline', '--yes', './tool'], trust: 'trusted' },
        ...{ cwd: home.project, connect_timeout_ms: 60_000 },
      },
      other: prowler(home),
    };
    const inside = { home, servers, sandbox: { network: true } };
    const caches = join(home.path, '.cache/junctor/sandbox');
    {
      await using host = await hostIn(inside);
      if (existsSync('/usr/bin/python3'))
        expect((await host.call({ server: 'python', tool: 'hello' }, {})).output).toBe('hello from python');
      if (!existsSync('/usr/bin/npx')) return;
      expect(await ask(host, 'variable', 'npm_config_cache')).toBe(join(home.path, '.cache/npm'));
      expect(await ask(host, 'write', join(home.path, '.cache/kept'))).toBe('written');
      expect(await ask(host, 'run', 'ls ~/.cache/npm')).toMatch(/^0: .*_npx/s);
      expect((await host.call({ server: 'other', tool: 'run' }, { given: 'ls -A ~/.cache' })).output).toBe('0:');
    }
    expect((await readdir(caches)).map(name => name.replace(/-\w+$/, '')).sort()).toEqual([
      'other',
      'prowler',
      'python',
    ]);
    await using again = await hostIn(inside);
    expect(await ask(again, 'read', join(home.path, '.cache/kept'))).toBe('written');
    // Without the network nothing is kept, unless somebody asks for it.
    await using offline = await hostIn({ ...inside, sandbox: {}, servers: { prowler: prowler(home) } });
    expect(await ask(offline, 'read', join(home.path, '.cache/kept'))).toBe('refused: ENOENT');
  });
});

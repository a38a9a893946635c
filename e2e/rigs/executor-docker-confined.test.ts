/** What a container of a server is held by, as a real Docker daemon makes it. */
import { makeHome, misbehaving, promise, ROOT, startHub, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { IMAGE, startDocker, whyNoDocker } from './docker-daemon.ts';
import { sessionOn } from './on-executor.ts';

const why = whyNoDocker();
const image = { image: IMAGE, volumes: [`${ROOT}:${ROOT}:ro`] };

describe.skipIf(why !== undefined)(`docker${why === undefined ? '' : ` (${why})`}`, () => {
  promise(
    '5.5q',
    'a container of a server has no capabilities and limits, unless its settings say otherwise',
    async () => {
      await using here = await startDocker(3);
      await using home = await makeHome();
      const loose = { capabilities: ['NET_BIND_SERVICE'], new_privileges: true, seccomp: 'unconfined', pids: 0 };
      const config = {
        version: 1,
        startup: { connect: 'lazy' },
        servers: { peek: trusted(misbehaving('prowls')) },
        executors: {
          docker: { docker: { host: here.host, ...image } },
          loose: { docker: { host: here.host, ...image, ...loose, memory_mb: 300 } },
          sealed: { docker: { host: here.host, ...image, read_only: true } },
        },
      };
      await using hub = await startHub(home, config);
      const heldOn = async (executor: string) => {
        const session = await sessionOn(home, hub, executor);
        const status = await session.call('peek_read', { given: '/proc/self/status' });
        const field = (name: string): string | undefined => new RegExp(`^${name}:\\s+(\\w+)`, 'm').exec(status)?.[1];
        const [id = ''] = await here.containers();
        const format = '{{.HostConfig.Memory}} {{.HostConfig.NanoCpus}} {{.HostConfig.PidsLimit}}';
        const limits = await here.docker('inspect', '--format', format, id);
        const written = [
          await session.call('peek_write', { given: '/prowler' }),
          await session.call('peek_write', { given: '/tmp/prowler' }),
        ];
        await session.end();
        await expect.poll(() => here.containers(), { timeout: 45_000 }).toEqual([]);
        return [field('CapBnd'), field('NoNewPrivs'), field('Seccomp'), limits, ...written];
      };
      const none = '0000000000000000';
      const usual = `${2048 * 2 ** 20} 1000000000 512`;
      expect(await heldOn('docker')).toEqual([none, '1', '2', usual, 'written', 'written']);
      expect(await heldOn('loose')).toEqual([
        ...['0000000000000400', '0', '0', expect.stringMatching(`^${300 * 2 ** 20} 1000000000 `), 'written', 'written'],
      ]);
      expect(await heldOn('sealed')).toEqual([none, '1', '2', usual, 'refused: EROFS', 'written']);
    },
  );
});

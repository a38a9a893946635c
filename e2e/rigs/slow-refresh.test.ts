/** An authorization server that needs longer for a refresh than anybody waits, and takes each refresh token once. */
import { promise } from '@junctor/testkit';
import { expect } from 'vitest';
import { careless } from '../sign-in/careless.ts';

promise('2.3v', 'a slow refresh is sent once: the call ends earlier, and the next one has the new token', async () => {
  let refreshes = 0;
  await using own = await careless(({ request, response }) => {
    if (request.url !== '/token') return undefined;
    refreshes++;
    const isReuse = refreshes > 1;
    const body = isReuse
      ? { error: 'invalid_grant' }
      : { access_token: 'good-token', token_type: 'Bearer', refresh_token: 'r2' };
    setTimeout(
      () => response.writeHead(isReuse ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      30_000,
    );
    return true;
  });
  await own.store(-1000);
  const host = await own.host({ attempts: 5 });
  const work = () => host.call({ server: 'x', tool: 'work' });
  await expect(work()).rejects.toMatchObject({
    code: 'connection_failed',
    why: 'it has not answered yet, and is still waited for',
  });
  await expect
    .poll(
      async () =>
        work()
          .then(({ output }) => output)
          .catch(() => undefined),
      { timeout: 120_000, interval: 2000 },
    )
    .toBe('done');
  expect(refreshes).toBe(1);
});

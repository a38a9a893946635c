/** A hub that is read and changed over REST. */
import { type Home, makeHome, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';

export const demo = trusted(testServer());

export async function withHub(
  run: (hub: RunningHub, home: Home) => Promise<void>,
  config: object = {},
  args: readonly string[] = [],
): Promise<void> {
  await using home = await makeHome();
  await using hub = await startHub(home, { version: 1, servers: { demo }, ...config }, args);
  await run(hub, home);
}

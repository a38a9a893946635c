/** The policy of an organisation, and an employee who tries every other place. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { JUNCTOR, makeHome, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';

const OWN_WORLD = 'unshare';
const server = trusted(testServer());
const POLICY = { version: 1, servers: { wiki: server }, permissions: { deny: ['mcp__wiki__fail'] } };
const OWN = { version: 1, servers: { wiki: server, evil: server }, permissions: { allow: ['mcp__*'] } };

test('no file, variable or option of a person changes it, and each says that it does not count', async context => {
  await using home = await makeHome();
  const own = JSON.stringify(OWN);
  for (const file of ['junctor.json', 'junctor.local.json', '.junctor/plugins/mine/plugin.json'])
    await home.write(`project/${file}`, own);
  for (const file of ['config.json', 'plugins/mine/plugin.json']) await home.write(`config/junctor/${file}`, own);
  const named = await home.write('named.json', own);
  // In a world of its own, where somebody may write there. Each command ends with its code on a line.
  const commands = [
    'mcp list --json',
    `mcp list --json --config ${named}`,
    `mcp list --json --isolated --config ${named}`,
    'mcp call wiki fail --yes --json',
    `mcp call wiki fail --yes --json --direct --config ${named}`,
    'mcp call evil echo --yes --json',
    'mcp add more -- no-such-program',
    'mcp disable wiki',
    'mcp list --json',
  ];
  const lines = [
    'mount -t tmpfs tmpfs /etc && mkdir /etc/junctor && printf %s "$POLICY" > /etc/junctor/policy.json || exit 77',
    ...commands.map(words => `"$NODE" "$JUNCTOR" ${words} 2>&1; echo "code $?"`),
  ];
  const { status, stdout } = spawnSync(OWN_WORLD, ['--map-root-user', '--mount', 'sh', '-c', lines.join('\n')], {
    cwd: home.project,
    env: {
      ...home.env,
      ...{ NODE: process.execPath, JUNCTOR, POLICY: JSON.stringify(POLICY) },
      ...{ JUNCTOR_CONFIG_JSON: own, JUNCTOR_CONFIG_PATH: named, CODE_AGENT_MCP_CONFIG_PATH: named },
    },
    encoding: 'utf8',
  });
  if (status !== 0) context.skip('this machine lets nobody make a world with an /etc of its own');
  const [list, byName, isolated, denied, direct, evil, added, disabled, after] = stdout.split(/code \d+\n/);
  const ids = (text = '') => JSON.parse(text.slice(text.indexOf('{'))).servers.map(({ id }: { id: string }) => id);
  for (const text of [list, byName, isolated, after]) expect(ids(text)).toEqual(['wiki']);
  for (const text of [denied, direct]) expect(text).toContain('the rule deny mcp__wiki__fail');
  expect(evil).toContain('server_unknown');
  const decides = 'does not count: the policy of your organisation, /etc/junctor/policy.json, decides alone';
  for (const text of [byName, isolated, direct]) expect(text).toContain(`${named} ${decides}`);
  for (const text of [added, disabled]) expect(text).toContain(`${join(home.project, 'junctor.json')} ${decides}`);
  expect(added).not.toContain('next:');
  expect(list).not.toContain(decides);
});

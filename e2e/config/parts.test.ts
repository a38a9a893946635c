import { openaiTools } from '@junctor/adapters/openai';
import { createHost, type Host } from '@junctor/core';
import { Log, Redactor } from '@junctor/core/light';
import { junctor, makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';

const servers = { demo: trusted(testServer()) };

/** What a part of a file changes, seen from outside; the same without it is the other half of the proof. */
async function withPart<Seen>(part: object, look: (host: Host, lines: string[]) => Promise<Seen>): Promise<Seen> {
  await using home = await makeHome();
  const file = await home.write('junctor.json', { version: 1, servers, ...part });
  const lines: string[] = [];
  const redactor = new Redactor();
  const log = new Log({ level: 'debug', write: line => lines.push(line), redactor });
  await using host = await createHost({ path: file, isolated: true, data: home.data, log, redactor });
  return await look(host, lines);
}

describe('at file level', () => {
  promise('1.2e', 'permissions, naming, search, results, health and log each take effect', async () => {
    const echo = async (host: Host) => (await host.call({ server: 'demo', tool: 'echo' }, { text: 'hi' })).success;
    expect(await withPart({}, echo)).toBe(true);
    expect(await withPart({ permissions: { deny: ['mcp__demo__echo'] } }, echo)).toBe(false);

    const hasName = async (host: Host) => (await host.tools()).some(({ name }) => name === 'demo_echo');
    expect(await withPart({}, hasName)).toBe(false);
    expect(await withPart({ naming: { strategy: 'server_tool' } }, hasName)).toBe(true);

    const many = { servers: { demo: trusted(testServer('--tools', '200')) } };
    const isSearched = async (host: Host) => {
      const { tools } = await openaiTools(host, { contextWindow: 50_000 });
      return JSON.stringify(tools).includes('"find_tools"');
    };
    expect(await withPart(many, isSearched)).toBe(true);
    expect(await withPart({ ...many, search: { enabled: false } }, isSearched)).toBe(false);

    const isCut = async (host: Host) =>
      (await host.call('mcp__demo__big', { bytes: 10_000 })).output.includes('characters left out');
    expect(await withPart({}, isCut)).toBe(false);
    expect(await withPart({ results: { max_output_tokens: 500 } }, isCut)).toBe(true);

    await withPart({ health: { ping_interval_ms: 20 } }, async (host, lines) => {
      await host.tools();
      // The newer era has no ping: there the server is asked what it is.
      const asked = () => lines.filter(line => /→ demo.*"method":"(?:ping|server\/discover)"/.test(line)).length;
      await expect.poll(asked).toBeGreaterThan(2);
    });

    await using home = await makeHome();
    const logs = async (part: object): Promise<boolean> => {
      await home.write('config/junctor/config.json', { version: 1, servers, ...part });
      return /^DEBUG: /m.test((await junctor(home, ['mcp', 'tools', '--fresh'])).stderr);
    };
    expect(await logs({})).toBe(false);
    expect(await logs({ log: { level: 'debug' } })).toBe(true);
  });
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadMcpConfig } from '@junctor/core';
import { junctor, makeHome, promise, ROOT } from '@junctor/testkit';
import { describe, expect } from 'vitest';

/** Every example, and the dialect it is an example of. */
const EXAMPLES = {
  'bundles-and-permissions.json': 'junctor',
  'cocode.toml': 'cocode',
  'code-agent.json': 'code-agent',
  'codelia.json': 'codelia',
  'junctor.json': 'junctor',
  'junctor.toml': 'junctor',
  'junctor.yaml': 'junctor',
  'kandev.json': 'kandev',
  'toolloop.mcp.json': 'toolloop',
};

describe('the examples', () => {
  promise('6.3a', 'are one for each notation and each format of a document', () => {
    const entries = readdirSync(join(ROOT, 'examples'), { withFileTypes: true });
    const files = entries.filter(entry => entry.isFile()).map(({ name }) => name);
    expect(files.sort()).toEqual(Object.keys(EXAMPLES));
  });

  promise('6.3b', 'load without a problem, each as what it is', async () => {
    await using home = await makeHome();
    const surroundings = { cwd: home.project, home: home.path, env: {}, platform: process.platform };
    for (const [name, dialect] of Object.entries(EXAMPLES)) {
      const path = join(ROOT, 'examples', name);
      const { layers, servers, problems } = await loadMcpConfig({ path, isolated: true, surroundings });
      expect({ name, problems, read: layers.map(layer => layer.dialect) }).toEqual({
        name,
        problems: [],
        read: [dialect],
      });
      expect(servers.size).toBeGreaterThan(1);
    }
    const files = Object.keys(EXAMPLES).map(name => join(ROOT, 'examples', name));
    const { code, stdout, stderr } = await junctor(home, ['validate', ...files]);
    expect([code, stderr, stdout.match(/: valid \(/g)?.length]).toEqual([0, '', files.length]);
  });
});

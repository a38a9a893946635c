import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome, ROOT } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { findChromium } from '../../scripts/system-parts.mjs';
import { NO_CHROMIUM } from '../web/browser.ts';
import { PICTURES } from '../web/screenshots/pictures.ts';

describe('npm run screenshots', () => {
  test('takes every picture the documents show', async ({ skip }) => {
    if (!findChromium()) return skip(NO_CHROMIUM);
    await using home = await makeHome();
    const folder = join(home.path, 'pictures');
    const run = spawnSync('npm', ['run', '-s', 'screenshots', '--', folder], { cwd: ROOT, encoding: 'utf8' });
    expect(run.status, run.stderr).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(PICTURES.map(({ name }) => `${name}.png`).sort());
  });
});

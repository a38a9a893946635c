// `npm run screenshots`: sets the clone up if need be, then takes the pictures of the page that the documents show.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { nodeEnv, nodePath, ROOT, ready } from './setup.mjs';

ready();
const program = join(ROOT, 'e2e', 'web', 'screenshots', 'take.ts');
const words = ['--conditions=junctor-source', program, ...process.argv.slice(2)];
process.exit(spawnSync(nodePath(), words, { cwd: ROOT, stdio: 'inherit', env: nodeEnv() }).status ?? 1);

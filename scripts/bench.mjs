// `npm run bench`: sets the clone up if need be, then measures the built product. What it measures: bench/README.md.
// `npm run bench:search`: how well tools are found, and how fast.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { nodeEnv, nodePath, ROOT, ready } from './setup.mjs';

ready();
const [first, ...more] = process.argv.slice(2);
const args =
  first === '--search'
    ? ['--expose-gc', join(ROOT, 'bench', 'search', 'measure.ts'), ...more]
    : [join(ROOT, 'bench', 'main.ts'), ...process.argv.slice(2)];
const bench = spawn(nodePath(), args, { cwd: ROOT, stdio: 'inherit', env: nodeEnv() });
// The terminal sends Ctrl-C to the bench as well: it ends what it started, and this waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => bench.kill(signal));
bench.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 1)));

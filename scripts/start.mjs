// `npm start`: sets the clone up if need be, then serves the hub with the example config, apart from the person's own files.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { nodeEnv, nodePath, ROOT, ready } from './setup.mjs';

ready();
const junctor = join(ROOT, 'packages', 'cli', 'bin', 'junctor.js');
const given = process.argv.slice(2);
const args = ['hub', '--config', 'examples/junctor.json', '--isolated', '--data', '.junctor', ...given];
const hub = spawn(nodePath(), [junctor, ...args], { cwd: ROOT, stdio: 'inherit', env: nodeEnv() });
// The terminal sends Ctrl-C to the hub as well: it ends itself, and this waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => hub.kill(signal));
hub.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 1)));

/** Which program listens on a port of this machine: whoever finds it busy wants to know. */
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';

/** In words, as far as it can be found out: other people's programs do not show theirs. */
export async function portOwner(port: number): Promise<string> {
  const pid = process.platform === 'linux' ? await ownerOnLinux(port) : await ownerByLsof(port);
  if (pid === undefined) return 'another program';
  const name = await programName(pid);
  return name === undefined ? `process ${pid}` : `process ${pid} (${name})`;
}

const LISTENING = '0A';

async function ownerOnLinux(port: number): Promise<number | undefined> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map(file => readFile(file, 'utf8').catch(() => '')),
  );
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const inodes = tables
    .flatMap(text => text.split('\n').slice(1))
    .map(line => line.trim().split(/\s+/))
    .flatMap(([, local = '', , state, , , , , , inode]) =>
      local.endsWith(wanted) && state === LISTENING && inode ? [`socket:[${inode}]`] : [],
    );
  if (inodes.length === 0) return undefined;
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const holders = await Promise.all(pids.map(async pid => ((await holdsOne(pid, inodes)) ? [Number(pid)] : [])));
  return holders.flat()[0];
}

async function holdsOne(pid: string, inodes: readonly string[]): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const open = await readdir(folder).catch(() => []);
  const links = await Promise.all(open.map(name => readlink(`${folder}/${name}`).catch(() => '')));
  return links.some(link => inodes.includes(link));
}

const LSOF_MS = 2000;

function ownerByLsof(port: number): Promise<number | undefined> {
  if (process.platform === 'win32') return Promise.resolve(undefined);
  return new Promise(resolve => {
    execFile('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'], { timeout: LSOF_MS }, (_error, stdout) => {
      const pid = Number(stdout.trim().split('\n')[0]);
      resolve(Number.isInteger(pid) && pid > 0 ? pid : undefined);
    });
  });
}

/** The program, and the script where it runs one. The rest of its command line may hold secrets. */
async function programName(pid: number): Promise<string | undefined> {
  const [program = '', script = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  if (program === '') return undefined;
  return script === '' || script.startsWith('-') ? basename(program) : `${basename(program)} ${basename(script)}`;
}

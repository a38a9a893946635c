/**
 * The programs that are measured or stand beside what is measured, as plain JavaScript. Node reads the sources of the
 * bench as they are, but stripping their types takes it longer than the rest of its start: 30 servers started at once
 * would measure that.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const BUILT = join(ROOT, 'bench', 'dist');

export const JUNCTOR = join(ROOT, 'packages', 'cli', 'bin', 'junctor.js');
const BUILD_STAMP = join(ROOT, 'packages', 'cli', 'bundle', '.built');
export const RESULTS = join(ROOT, 'bench', 'results');

export const PROGRAMS = {
  worker: join(BUILT, 'worker.js'),
  referenceGateway: join(BUILT, 'reference-gateway.js'),
  echoStdio: join(BUILT, 'servers', 'echo-stdio.js'),
  echoHttp: join(BUILT, 'servers', 'echo-http.js'),
  configLoad: join(BUILT, 'config', 'load.js'),
  configFloor: join(BUILT, 'config', 'floor.js'),
  catalogue: join(BUILT, 'catalogue', 'measure.js'),
  chat: join(BUILT, 'chat', 'measure.js'),
} as const;

/** When the product was built: a run across two builds measures neither. */
export function buildStamp(): string {
  return existsSync(BUILD_STAMP) ? readFileSync(BUILD_STAMP, 'utf8').trim() : 'never';
}

/** Packages stay imports: a contestant is measured as it is installed, not as a bundler would improve it. */
export async function buildPrograms(): Promise<void> {
  const { rolldown } = await import('rolldown');
  const programs = [
    'worker',
    'reference-gateway',
    'servers/echo-stdio',
    'servers/echo-http',
    'config/load',
    'config/floor',
    'catalogue/measure',
    'chat/measure',
    'chat/model',
  ];
  const build = await rolldown({
    input: Object.fromEntries(programs.map(name => [name, join(ROOT, 'bench', `${name}.ts`)])),
    platform: 'node',
    external: /^[^./]/,
  });
  await build.write({ dir: BUILT, format: 'esm', entryFileNames: '[name].js', cleanDir: true });
  await build.close();
}

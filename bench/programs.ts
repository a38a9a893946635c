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
} as const;

/** When the product was built: a run across two builds measures neither. */
export function buildStamp(): string {
  return existsSync(BUILD_STAMP) ? readFileSync(BUILD_STAMP, 'utf8').trim() : 'never';
}

/** Packages stay imports: a contestant is measured as it is installed, not as a bundler would improve it. */
export async function buildPrograms(): Promise<void> {
  const { build } = await import('esbuild');
  const source = (file: string) => join(ROOT, 'bench', file);
  await build({
    entryPoints: [
      'worker.ts',
      'reference-gateway.ts',
      'servers/echo-stdio.ts',
      'servers/echo-http.ts',
      'config/load.ts',
      'config/floor.ts',
      'catalogue/measure.ts',
    ].map(source),
    outbase: join(ROOT, 'bench'),
    outdir: BUILT,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    logLevel: 'warning',
  });
}

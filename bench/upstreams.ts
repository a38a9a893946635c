/** The bench's own servers, as contestants are told about them. */
import { once } from 'node:events';
import type { HttpUpstream, StdioUpstream } from './contestants/contestant.ts';
import { PROGRAMS } from './programs.ts';
import type { Stage } from './stage.ts';

/** Servers that a contestant starts itself. */
export function stdioUpstreams(count: number, ...args: readonly string[]): [StdioUpstream, ...StdioUpstream[]] {
  const upstream = (index: number) => ({
    name: `s${index}`,
    command: process.execPath,
    args: [PROGRAMS.echoStdio, ...args],
  });
  return [upstream(0), ...Array.from({ length: count - 1 }, (_, index) => upstream(index + 1))];
}

export interface RunningUpstream extends AsyncDisposable {
  readonly upstream: HttpUpstream;
}

/** A server that runs already, on a port the kernel chose. */
export async function startHttpUpstream(stage: Stage, ...args: readonly string[]): Promise<RunningUpstream> {
  const child = stage.start([process.execPath, PROGRAMS.echoHttp, ...args]);
  if (!child.stdout) throw new Error('the http server has no stdout');
  const [line] = await once(child.stdout, 'data', { signal: AbortSignal.timeout(10_000) });
  return {
    upstream: { name: 's0', url: String(line).trim() },
    [Symbol.asyncDispose]: () => stage.end(child),
  };
}

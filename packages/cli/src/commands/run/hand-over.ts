/** Gives an agent the hub for one run, in the way it takes such things, and takes it back afterwards. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  type AgentTarget,
  documentOf,
  holdServers,
  inlineSettings,
  planWrite,
  readAgentDocument,
  releaseServers,
  type WantedServer,
  writePrivateFile,
} from '@junctor/core/config-write';
import type { Surroundings } from '@junctor/core/light';
import type { Way } from './ways.ts';

export interface HandedOver {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A file that is there for this run only, and what was written to instead where there is none. */
  readonly file: string | undefined;
}

/** What ends with the run is left in these hands at once, so that nothing stays behind when a later step fails. */
export interface Cleanup {
  defer(undo: () => Promise<void>): void;
  /** Notes a folder that whoever comes next removes, should this process not come to it. */
  folder(path: string): Promise<void>;
}

export async function handOver(
  target: AgentTarget,
  server: WantedServer,
  way: Way,
  { surroundings, cleanup }: { readonly surroundings: Surroundings; readonly cleanup: Cleanup },
): Promise<HandedOver> {
  if (way.kind === 'settings') {
    return { args: await inlineSettings(target.dialect, server), env: {}, file: undefined };
  }
  if (way.kind === 'own-file') {
    if (await holdServers(target, [server])) cleanup.defer(async () => void (await releaseServers(target)));
    return { args: [], env: {}, file: target.file };
  }
  const file = await ownFolder(target, cleanup);
  const base = way.kind === 'variable' ? (surroundings.env[way.name] ?? way.usually?.(surroundings)) : undefined;
  const begun = way.kind === 'flag-instead' ? target.file : base;
  const former = begun === undefined ? undefined : (await readAgentDocument(begun)).bytes;
  const { after } = planWrite(target.dialect, await documentOf(file, former), undefined, [server]);
  await writePrivateFile(file, after.text);
  if (way.kind === 'variable') return { args: [], env: { [way.name]: file }, file };
  return { args: way.flags(file), env: {}, file };
}

/** Named as the agent names its own, by which it may tell how to read it. */
async function ownFolder({ file }: AgentTarget, cleanup: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'junctor-run-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  await cleanup.folder(folder);
  return join(folder, basename(file));
}

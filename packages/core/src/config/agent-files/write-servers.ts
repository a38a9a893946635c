/** Writes servers into an agent's file, for good or for as long as a process lives. */
import { stillLives, thisProcess } from '../../base/files/living.ts';
import { readAgentDocument } from './agent-document.ts';
import { Backups } from './backups.ts';
import { type Plan, planWrite, type WantedServer } from './plan-write.ts';
import { type AgentTarget, changeFile, storeChange } from './store-change.ts';
import { WrittenBook } from './written-book.ts';

export interface ServersWritten extends Omit<Plan, 'after' | 'entries' | 'made'> {
  readonly before: string;
  readonly after: string;
  /** Where the file as it was is kept; undefined where there was none, or nothing changed. */
  readonly backup: string | undefined;
}

/** What would be written. Nothing is. */
export async function previewServers(target: AgentTarget, wanted: readonly WantedServer[]): Promise<ServersWritten> {
  const record = await new WrittenBook(target.dataDirectory).of(target.file);
  const document = await readAgentDocument(target.file);
  return told(document.bytes, planWrite(target.dialect, document, record, wanted), undefined);
}

export function writeServers(target: AgentTarget, wanted: readonly WantedServer[]): Promise<ServersWritten> {
  return changeFile(target, async (document, former) => {
    const plan = planWrite(target.dialect, document, former, wanted);
    const { entries, made } = plan;
    const noted = { entries, ...(made ? { made } : {}) };
    // Whoever held it for a while holds it no longer: from now on it is there for good.
    if (plan.after.text === textOf(document.bytes)) {
      const record = { agent: target.dialect.name, ...noted, steps: former?.steps ?? [] };
      return { record, result: told(document.bytes, plan, undefined) };
    }
    const record = await storeChange(target, document, plan.after.text, { ...noted, former });
    const { backup } = record.steps.at(-1) ?? {};
    const kept = backup ? new Backups(target.dataDirectory).path(backup) : undefined;
    return { record, result: told(document.bytes, plan, kept) };
  });
}

/**
 * Writes servers until the last process that asked for it lets go of them, this one first of all. False: they stand there already and for good, so
 * there is nothing to let go of.
 */
export function holdServers(target: AgentTarget, wanted: readonly WantedServer[]): Promise<boolean> {
  return changeFile(target, async (document, former) => {
    const plan = planWrite(target.dialect, document, former, wanted);
    const living = former?.holders?.filter(stillLives) ?? [];
    const same = plan.after.text === textOf(document.bytes);
    if (same && living.length === 0) return { record: former, result: false };
    if (same && former) return { record: { ...former, holders: [...living, thisProcess()] }, result: true };
    const { entries, made } = plan;
    const noted = { entries, ...(made ? { made } : {}), holders: [...living, thisProcess()] };
    return { record: await storeChange(target, document, plan.after.text, { ...noted, former }), result: true };
  });
}

function told(bytes: Buffer | undefined, plan: Plan, backup: string | undefined): ServersWritten {
  const { after, entries: _entries, made: _made, ...rest } = plan;
  return { ...rest, before: textOf(bytes) ?? '', after: after.text, backup };
}

function textOf(bytes: Buffer | undefined): string | undefined {
  return bytes?.toString('utf8');
}

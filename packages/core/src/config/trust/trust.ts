/**
 * Project trust: a server that came with a project starts, and a secret it names is read, only after a person approved
 * that very definition. The approval is bound to its fingerprint: change the definition, and it asks again.
 */
import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JunctorError, sentenceOf } from '../../base/error.ts';
import { writePrivateFile } from '../../base/files/atomic-file.ts';
import { withFileLock } from '../../base/files/file-lock.ts';
import { canonicalJson } from '../../base/json/canonical-json.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Layer, LoadedServer } from '../layers.ts';
import { projectFolder, type Surroundings } from '../sources/places.ts';
import { cameWithProject } from '../sources/sources.ts';
import { fingerprint } from './fingerprint.ts';
import { type AskedPower, powersOf } from './project-powers.ts';

export interface Approval {
  readonly fingerprint: string;
  readonly id: string;
  /** The file it stood in when it was approved: for people to recognise it by. */
  readonly file: string | null;
  readonly approved_at: string;
}

/** `trusted`: it needs no approval. */
export type TrustState = 'trusted' | 'approved' | 'waiting';

/**
 * Bound to the folder as well: the same words in another project start another program, since a project's programs are
 * looked for in its own folder.
 */
export function placedFingerprint({ id, definition, file }: Pick<LoadedServer, 'id' | 'definition' | 'file'>): string {
  return sha256(`${fingerprint(id, definition)} ${folderOf(file)}`);
}

function folderOf(file: string | undefined): string {
  if (file === undefined) return '';
  const folder = projectFolder(file);
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** The id under which such approvals are kept; no server can have it. */
export const POWERS_ID = '(rules)';

/** Bound to the file: the same rule in another project is another question. */
function powerFingerprint({ layer, power }: AskedPower): string {
  return sha256(canonicalJson({ file: layer.source, ...power }));
}

export class TrustBook {
  readonly #file: string;
  readonly #surroundings: Surroundings;

  constructor(dataDirectory: string, surroundings: Surroundings) {
    this.#file = join(dataDirectory, 'trust.json');
    this.#surroundings = surroundings;
  }

  async approvals(): Promise<readonly Approval[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    if (text === '') return [];
    try {
      return (JSON.parse(text) as { approved?: Approval[] }).approved ?? [];
    } catch (error) {
      throw new JunctorError('config_unreadable', `The file of approvals, ${this.#file}, is not valid.`, {
        why: sentenceOf(error),
        hint: 'remove it, and approve again what you trust',
        command: 'remove it, and approve again what you trust: junctor trust list',
        cause: error,
      });
    }
  }

  async states(servers: Iterable<LoadedServer>): Promise<Map<string, TrustState>> {
    const all = [...servers];
    // Most programs and people have nothing that came with a project: then nobody need know what was approved.
    const asks = all.some(({ layer, file }) => cameWithProject(layer, file, this.#surroundings));
    const approved = new Set((asks ? await this.approvals() : []).map(approval => approval.fingerprint));
    return new Map(all.map(server => [server.id, this.#state(server, approved)]));
  }

  /** What project files ask for beyond their own servers, and whether each has been approved. */
  async powers(layers: readonly Layer[]): Promise<readonly (AskedPower & { readonly approved: boolean })[]> {
    const asked = layers
      .filter(layer => cameWithProject(layer.name, layer.file, this.#surroundings))
      .flatMap(layer => powersOf(layer).map(power => ({ layer, power })));
    if (asked.length === 0) return [];
    const approved = new Set((await this.approvals()).map(approval => approval.fingerprint));
    return asked.map(one => ({ ...one, approved: approved.has(powerFingerprint(one)) }));
  }

  async approvePowers(powers: readonly AskedPower[]): Promise<void> {
    const approved_at = new Date().toISOString();
    await this.#change(approvals => {
      const fresh = powers.map(one => ({
        fingerprint: powerFingerprint(one),
        id: POWERS_ID,
        file: one.layer.file ?? null,
        approved_at,
      }));
      const known = new Set(fresh.map(approval => approval.fingerprint));
      return [...approvals.filter(approval => !known.has(approval.fingerprint)), ...fresh];
    });
  }

  async approve(servers: readonly Pick<LoadedServer, 'id' | 'definition' | 'file'>[]): Promise<void> {
    await this.#change(approvals => {
      const fresh = servers.map(({ id, definition, file }) => ({
        fingerprint: placedFingerprint({ id, definition, file }),
        id,
        file: file ?? null,
        approved_at: new Date().toISOString(),
      }));
      const known = new Set(fresh.map(approval => approval.fingerprint));
      return [...approvals.filter(approval => !known.has(approval.fingerprint)), ...fresh];
    });
  }

  /** Withdraws the approvals of this id, of one file where it is named; says how many there were. */
  async withdraw(id: string, file?: string): Promise<number> {
    let withdrawn = 0;
    await this.#change(approvals => {
      const kept = approvals.filter(approval => approval.id !== id || (file !== undefined && approval.file !== file));
      withdrawn = approvals.length - kept.length;
      return kept;
    });
    return withdrawn;
  }

  #state({ id, definition, layer, file }: LoadedServer, approved: ReadonlySet<string>): TrustState {
    if (!cameWithProject(layer, file, this.#surroundings)) return 'trusted';
    return approved.has(placedFingerprint({ id, definition, file })) ? 'approved' : 'waiting';
  }

  async #change(edit: (approvals: readonly Approval[]) => readonly Approval[]): Promise<void> {
    await withFileLock(this.#file, async () => {
      const approved = edit(await this.approvals());
      await writePrivateFile(this.#file, `${JSON.stringify({ version: 1, approved }, null, 2)}\n`);
    });
  }
}

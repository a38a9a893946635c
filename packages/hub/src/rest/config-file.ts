/** The file that REST edits: the one given with `--config`, else the person's own. Comments and order in it stay. */
import { resolve } from 'node:path';
import { isJunctorError, JunctorError, type McpServerDef } from '@junctor/core';
import { LAYER_NAMES, type LoadedServer, readConfig, readText } from '@junctor/core/config-read';
import {
  addServer,
  changeFrame,
  changeServers,
  type Edit,
  removeServer,
  switchServer,
  userConfigPath,
  writeFileAtomic,
} from '@junctor/core/config-write';
import { withFileLock } from '@junctor/core/internal';
import { ownSurroundings, type Surroundings } from '@junctor/core/light';
import type { Removal } from './removals.ts';
import type { Rooms } from './rooms.ts';
import { hideAll, keepSecrets } from './secrets.ts';

export interface WrittenServer {
  readonly file: string;
  /** The names of the secrets that were stored. */
  readonly secrets: readonly string[];
}

export class ConfigFile {
  readonly #rooms: Rooms;
  readonly #surroundings: Surroundings;

  constructor(rooms: Rooms) {
    this.#rooms = rooms;
    this.#surroundings = rooms.hostOptions.surroundings ?? ownSurroundings();
  }

  async path(): Promise<string> {
    const { path } = this.#rooms.hostOptions;
    return path ? resolve(this.#surroundings.cwd, path) : userConfigPath(this.#surroundings);
  }

  /** Adds a server, or puts it in the place of the one that is there. `check` runs while nobody else writes. */
  async put(
    id: string,
    definition: McpServerDef,
    { replace, check }: { readonly replace: boolean; readonly check?: () => void },
  ): Promise<WrittenServer> {
    const file = await this.path();
    const { definitions, secrets } = hideAll(file, { [id]: definition });
    const change = { id, definition: definitions[id] as McpServerDef };
    if (replace) await changeServers(file, [change], this.#options, check);
    else await addServer(file, change, this.#options).catch(asConflict);
    // Only now is it certain that the file refers to them.
    await keepSecrets(this.#rooms, { secrets });
    await this.#rooms.book.reload();
    return { file, secrets: secrets.map(({ name }) => name) };
  }

  /** Several at once: all of them are written, or none. Those that the file has already are replaced. */
  async putAll(definitions: Readonly<Record<string, McpServerDef>>): Promise<WrittenServer> {
    const file = await this.path();
    const hidden = hideAll(file, definitions);
    const changes = Object.entries(hidden.definitions).map(([id, definition]) => ({ id, definition }));
    await changeServers(file, changes, this.#options);
    await keepSecrets(this.#rooms, hidden);
    await this.#rooms.book.reload();
    return { file, secrets: hidden.secrets.map(({ name }) => name) };
  }

  async switch(id: string, enabled: boolean): Promise<WrittenServer> {
    const file = await this.path();
    await switchServer(file, id, enabled, this.#options);
    await this.#rooms.book.reload();
    return { file, secrets: [] };
  }

  /** What is written into this file counts for the server: none of the layers above defines it. */
  governs({ layer }: LoadedServer): boolean {
    const own = this.#rooms.hostOptions.path ? 'explicit' : 'user';
    return LAYER_NAMES.indexOf(layer) >= LAYER_NAMES.indexOf(own);
  }

  async remove(id: string): Promise<WrittenServer> {
    const file = await this.path();
    const texts = await removeServer(file, id, this.#options);
    this.#rooms.removals.note({ id, file, ...texts });
    await this.#rooms.book.reload();
    return { file, secrets: [] };
  }

  /** The file as it was; where somebody changed it since, only the server comes back. */
  async restore(removal: Removal): Promise<WrittenServer> {
    const { id, file, before, after } = removal;
    const untouched = await withFileLock(file, async () => {
      if ((await readText(file, false)) !== after) return false;
      await writeFileAtomic(file, before);
      return true;
    });
    if (!untouched) {
      const read = await readConfig(file, before, this.#options);
      const definition = read.ok ? read.reading.config.servers[id] : undefined;
      await addServer(file, { id, definition }, this.#options).catch(asConflict);
    }
    this.#rooms.removals.forget(id);
    await this.#rooms.book.reload();
    return { file, secrets: [] };
  }

  /** Changes what belongs to no server; returns the file. */
  async set(edits: readonly Edit[], check: () => void): Promise<string> {
    const file = await this.path();
    await changeFrame(file, edits, this.#options, check);
    await this.#rooms.book.reload();
    return file;
  }

  get #options() {
    return { home: this.#surroundings.home, dialect: this.#rooms.hostOptions.dialect };
  }
}

/** The hint for the command line would not help here. */
function asConflict(error: unknown): never {
  if (!isJunctorError(error, 'config_conflict')) throw error;
  throw new JunctorError('config_conflict', error.message, {
    hint: 'choose another id, or replace it: PUT /api/servers/{id}',
    cause: error,
  });
}

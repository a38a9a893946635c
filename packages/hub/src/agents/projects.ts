/**
 * The folders that clients work in. Each has an opaque id, which the address of an endpoint may carry: a path never stands in
 * an address. They are kept in `projects.json` of the data directory, so that addresses in agents' files stay good.
 */
import { randomBytes } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { JunctorError } from '@junctor/core';
import { withFileLock, writePrivateFile } from '@junctor/core/internal';
import { projectFolderOf } from '@junctor/core/light';

export interface Project {
  readonly id: string;
  /** The folder of the project file, or the one the client works in where no project file is upward of it. */
  readonly folder: string;
}

interface KnownProject extends Project {
  /** When a client last said that it works there. */
  used: string;
}

export interface ProjectsOptions {
  readonly dataDirectory: string;
  readonly home: string;
  /** The folder that the hub serves at endpoints which name no project; undefined where it serves none there. */
  readonly own: string | undefined;
}

/** More are not kept: the one that nobody used for longest is forgotten. */
const MAX_KNOWN = 1000;

/** How exactly it is known when a project was last used: finer would cost a write for each client. */
const USED_EVERY_MS = 60 * 60_000;

export class Projects {
  readonly own: string | undefined;
  readonly #file: string;
  readonly #home: string;
  #known = new Map<string, KnownProject>();

  private constructor({ dataDirectory, home, own }: ProjectsOptions) {
    this.#file = join(dataDirectory, 'projects.json');
    this.#home = home;
    this.own = own;
  }

  static async open(options: ProjectsOptions): Promise<Projects> {
    const projects = new Projects(options);
    projects.#known = await projects.#read();
    return projects;
  }

  get(id: string): Project | undefined {
    return this.#known.get(id);
  }

  /** Used last comes first. */
  list(): readonly Readonly<KnownProject>[] {
    return [...this.#known.values()].sort((one, other) => (one.used < other.used ? 1 : -1));
  }

  /** The project that a folder belongs to, registered if need be. Undefined: it is the hub's own. */
  async at(folder: string): Promise<Project | undefined> {
    const cwd = await this.#real(folder);
    const root = (await projectFolderOf({ cwd, home: this.#home })) ?? cwd;
    if (root === this.own) return undefined;
    const known = this.#in(root);
    if (known && Date.now() - Date.parse(known.used) < USED_EVERY_MS) return known;
    await this.#change(all => {
      const now = new Date().toISOString();
      const found = [...all.values()].find(one => one.folder === root);
      if (found) found.used = now;
      else {
        const id = randomBytes(16).toString('hex');
        all.set(id, { id, folder: root, used: now });
      }
      forgetOldest(all);
    });
    return this.#in(root);
  }

  /** False where there is none of this id. */
  async remove(id: string): Promise<boolean> {
    if (!this.#known.has(id)) return false;
    await this.#change(all => all.delete(id));
    return true;
  }

  #in(root: string): KnownProject | undefined {
    return this.#known.values().find(one => one.folder === root);
  }

  async #real(folder: string): Promise<string> {
    if (!isAbsolute(folder))
      throw new JunctorError('usage', `'${folder}' is no absolute path.`, { hint: 'name the folder from its root' });
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined && (await isFolder(real))) return real;
    throw folderGone(folder);
  }

  /** Two hubs never write one file, but a person may restore it: what stands there counts. */
  async #change(edit: (all: Map<string, KnownProject>) => void): Promise<void> {
    await withFileLock(this.#file, async () => {
      const all = await this.#read();
      edit(all);
      await writePrivateFile(this.#file, `${JSON.stringify({ projects: [...all.values()] }, null, 2)}\n`);
      this.#known = all;
    });
  }

  async #read(): Promise<Map<string, KnownProject>> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    try {
      const { projects } = JSON.parse(text) as { projects: KnownProject[] };
      return new Map(projects.filter(isKnown).map(one => [one.id, one]));
    } catch {
      // Without it addresses of before lead nowhere, and clients register their folders anew.
      return new Map();
    }
  }
}

/** What stands before the id of a project in the address of an endpoint. */
export const IN_PROJECT = '/w/';

/** The address of the same endpoint in a project. */
export function inProject(path: string, project: string | undefined): string {
  return project === undefined ? path : `${path}${IN_PROJECT}${project}`;
}

export function folderGone(folder: string): JunctorError {
  return new JunctorError('not_found', `The folder ${folder} is not there.`, {
    why: 'it was removed or renamed, or the hub runs where it cannot be seen',
    hint: 'start the agent in the folder of its project',
  });
}

export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
}

function isKnown({ id, folder, used }: Partial<KnownProject>): boolean {
  return typeof id === 'string' && typeof folder === 'string' && typeof used === 'string';
}

function forgetOldest(all: Map<string, KnownProject>): void {
  const oldestFirst = [...all.values()].sort((one, other) => (one.used < other.used ? -1 : 1));
  for (const { id } of oldestFirst.slice(0, Math.max(0, all.size - MAX_KNOWN))) all.delete(id);
}

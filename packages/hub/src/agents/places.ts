/**
 * The hosts of clients that work somewhere else than the hub: in another project, or on another executor. Each is opened when
 * the first of them comes, once, however many ask. Those of projects are closed when nobody uses them.
 */
import { JunctorError } from '@junctor/core';
import { folderGone, isFolder, type Project } from './projects.ts';

export interface Place {
  /** Undefined: this machine. */
  readonly executor?: string | undefined;
  /** Undefined: what the hub itself serves. */
  readonly project?: Project | undefined;
}

export interface Opened<Seat> {
  readonly seat: Seat;
  readonly agent: string | undefined;
  readonly place: Place;
  /** By `performance.now()`. */
  usedAt: number;
}

export interface PlacesOptions<Seat> {
  open(agent: string | undefined, place: Place): Promise<Seat>;
  close(seat: Seat): void;
  /** Whether somebody is connected to it, or waits for an answer. */
  isBusy(seat: Seat): boolean;
  /** How many hosts of projects may be open at once. */
  readonly maxProjects: number;
}

export class Places<Seat> {
  readonly #options: PlacesOptions<Seat>;
  readonly #seats = new Map<string, Opened<Seat>>();
  readonly #opening = new Map<string, Promise<unknown>>();

  constructor(options: PlacesOptions<Seat>) {
    this.#options = options;
  }

  get all(): readonly Opened<Seat>[] {
    return [...this.#seats.values()];
  }

  get(agent: string | undefined, place: Place): Seat | undefined {
    return this.#seats.get(keyOf(agent, place))?.seat;
  }

  /** Undefined: it is open. */
  open(agent: string | undefined, place: Place): Promise<unknown> | undefined {
    const key = keyOf(agent, place);
    const opened = this.#seats.get(key);
    if (opened) {
      opened.usedAt = performance.now();
      return undefined;
    }
    const known = this.#opening.get(key);
    if (known) return known;
    const opening = this.#open(agent, place)
      .then(seat => this.#seats.set(key, { seat, agent, place, usedAt: performance.now() }))
      .finally(() => this.#opening.delete(key));
    this.#opening.set(key, opening);
    return opening;
  }

  /** Closes what belongs to a project. */
  closeProject(id: string): void {
    for (const one of this.all) if (one.place.project?.id === id) this.#close(one);
  }

  /** Closes the hosts of projects that nobody used for so long. */
  closeUnused(idleMs: number): void {
    const before = performance.now() - idleMs;
    for (const one of this.#idle()) if (one.usedAt <= before) this.#close(one);
  }

  /** Waits for what is being opened, so that it can be closed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#opening.values());
  }

  async #open(agent: string | undefined, place: Place): Promise<Seat> {
    const { project } = place;
    if (project) {
      if (!(await isFolder(project.folder))) throw folderGone(project.folder);
      this.#freeOne();
    }
    return this.#options.open(agent, place);
  }

  /** Closes the host that nobody used for longest, where as many are open as may be. */
  #freeOne(): void {
    const { maxProjects } = this.#options;
    if (this.all.filter(({ place }) => place.project).length < maxProjects) return;
    const [longest] = this.#idle().sort((one, other) => one.usedAt - other.usedAt);
    if (longest) return this.#close(longest);
    throw new JunctorError('too_many_projects', `This hub serves ${maxProjects} projects already.`, {
      why: 'agents are connected in all of them',
      hint: 'end an agent in another project, or start the hub with a larger --max-projects',
    });
  }

  #idle(): Opened<Seat>[] {
    return this.all.filter(({ place, seat }) => place.project && !this.#options.isBusy(seat));
  }

  #close(one: Opened<Seat>): void {
    this.#seats.delete(keyOf(one.agent, one.place));
    this.#options.close(one.seat);
  }
}

function keyOf(agent: string | undefined, { executor, project }: Place): string {
  return `${project?.id ?? ''} ${executor ?? ''} ${agent ?? ''}`;
}

/**
 * Lists of one life of a server that are not what the host knows of the server: it said that they changed. Until then the
 * host's are good for all its lives, and nobody is asked again.
 */
import type { Link } from '@junctor/core/inside';

export type OwnList = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

const METHODS: Readonly<Record<OwnList, string>> = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
};

/** A server that never comes to an end must not keep us for ever. */
const MAX_PAGES = 100;

export class OwnLists {
  /** What changed, and has been read since. */
  readonly #changed = new Map<OwnList, Promise<readonly object[]> | undefined>();

  /** Notes what a notification says. */
  change(method: string): void {
    const [, list] = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method) ?? [];
    if (list === undefined) return;
    this.#changed.set(list as OwnList, undefined);
    if (list === 'resources') this.#changed.set('resourceTemplates', undefined);
  }

  has(list: OwnList): boolean {
    return this.#changed.has(list);
  }

  /** The list as this life of the server has it now. */
  read(list: OwnList, link: Link): Promise<readonly object[]> {
    const known = this.#changed.get(list);
    if (known) return known;
    const reading = readAll(link, list);
    this.#changed.set(list, reading);
    reading.catch(() => {
      if (this.#changed.get(list) === reading) this.#changed.set(list, undefined);
    });
    return reading;
  }

  /** A new connection is as the host knows the server, as long as it says nothing else. */
  forget(): void {
    this.#changed.clear();
  }
}

async function readAll(link: Link, list: OwnList): Promise<readonly object[]> {
  const items: object[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = (await link.request(METHODS[list], cursor === undefined ? {} : { cursor })) as Record<
      string,
      unknown
    >;
    const found = answer[list];
    if (Array.isArray(found)) items.push(...found);
    cursor = answer.nextCursor;
    if (typeof cursor !== 'string') break;
  }
  return items;
}

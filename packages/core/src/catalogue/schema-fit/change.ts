/** What was changed in a schema, where and why: told by the doctor, and by whoever lists tools for a model. */

/** Each kind of change, in words; `lossy` where the model is told less than the server said. */
export const CHANGES = {
  replaced: { text: 'the schema cannot be used, so any arguments are taken', lossy: true },
  'root-typed': { text: 'said to be an object', lossy: false },
  'text-cleaned': { text: 'texts with unseen characters cleaned, or cut', lossy: false },
  'hidden-dropped': { text: 'a name or value with unseen characters left out', lossy: true },
  'reference-inlined': { text: 'a reference replaced by what it names', lossy: false },
  'reference-cut': { text: 'a reference that leads round in circles, or too far, cut off', lossy: true },
  'reference-dropped': { text: 'a reference to something that is not in the schema left out', lossy: true },
  'definitions-dropped': { text: 'definitions left out that nothing refers to any more', lossy: false },
  'root-merged': { text: 'alternatives at the root put together into one object', lossy: true },
  'root-dropped': { text: 'a condition at the root left out', lossy: true },
  'keyword-dropped': { text: 'left out: it is not understood there', lossy: true },
  'keyword-spared': { text: 'left out: it changes nothing there', lossy: false },
  'keyword-rewritten': { text: 'told in other words', lossy: false },
  'type-split': { text: 'a list of types told as alternatives', lossy: false },
  'type-added': { text: 'its type added', lossy: false },
  'type-guessed': { text: 'told to be any simple value: no type was named', lossy: true },
  'null-rewritten': { text: 'null told in other words', lossy: false },
  'enum-dropped': { text: 'the choice of values moved into the description', lossy: true },
  'enum-values-dropped': { text: 'values left out that cannot be told there', lossy: true },
  'combined-merged': { text: 'parts that hold together put into one', lossy: true },
  'alternatives-moved': { text: 'what stood beside alternatives moved into them', lossy: false },
  'tuple-rewritten': { text: 'a list with a schema for each place told in other words', lossy: true },
  'items-added': { text: 'items added to a list', lossy: false },
  'properties-emptied': { text: 'an empty set of properties left out', lossy: false },
  'property-moved': { text: 'a property whose name cannot be used there moved into the description', lossy: true },
  'property-dropped': { text: 'a property left out that no value fits', lossy: false },
  'required-dropped': { text: 'required, but not described: no longer required', lossy: true },
  'depth-cut': { text: 'details below this level left out', lossy: true },
  'compact-descriptions': { text: 'too large: descriptions left out', lossy: true },
  'compact-definitions': { text: 'too large: definitions left out', lossy: true },
  'compact-depth': { text: 'too large: details of inner objects left out', lossy: true },
  'compact-alternatives': { text: 'too large: alternatives left out', lossy: true },
  'closed-for-strict': { text: 'further properties ruled out, so that it can be strict', lossy: false },
  'output-schema-dropped': {
    text: 'the schema of its results left out: it describes no object, or cannot be compiled',
    lossy: false,
  },
} as const satisfies Readonly<Record<string, { readonly text: string; readonly lossy: boolean }>>;

export type ChangeName = keyof typeof CHANGES;

/** One thing that a schema says otherwise than the server's. `describeChange` puts it into words. */
export interface SchemaChange {
  /** A JSON pointer into the schema as the server gave it; empty for the whole. */
  readonly at: string;
  /** Which kind of change. */
  readonly what: ChangeName;
  /** Which keyword, reference or value. */
  readonly detail?: string;
}

/** A place in a schema, written out only where somebody asks. */
export interface Place {
  readonly parent: Place | undefined;
  readonly key: string;
}

/** More than anybody reads; a schema of a thousand bad places must not cost a thousand notes. */
const MAX_CHANGES = 100;

export class Changes {
  readonly list: SchemaChange[] = [];

  add(at: Place | undefined, what: ChangeName, detail?: string): void {
    if (this.list.length >= MAX_CHANGES) return;
    const place = pointer(at);
    this.list.push(detail === undefined ? { at: place, what } : { at: place, what, detail });
  }
}

export function pointer(place: Place | undefined): string {
  if (!place) return '';
  return `${pointer(place.parent)}/${place.key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function below(parent: Place | undefined, key: string, name?: string): Place {
  const at = { parent, key };
  return name === undefined ? at : { parent: at, key: name };
}

export function isLossy({ what }: SchemaChange): boolean {
  return CHANGES[what].lossy;
}

/** For people: `/properties/when: left out: it is not understood there (format)`. */
export function describeChange({ at, what, detail }: SchemaChange): string {
  return `${at === '' ? '' : `${at}: `}${CHANGES[what].text}${detail === undefined ? '' : ` (${detail})`}`;
}

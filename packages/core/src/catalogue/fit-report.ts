/** What a model or a client does not get as the servers offer it: renamed, rewritten, left out, each with the reason. */
import { definitionTokens } from './definition-tokens.ts';
import type { Entry } from './entry.ts';
import type { GivenName } from './naming/public-names.ts';
import type { Audience } from './profiles/audience.ts';
import { describeChange, isLossy } from './schema-fit/change.ts';
import type { Snapshot } from './snapshot.ts';
import type { View } from './view.ts';

interface Named {
  readonly server: string;
  readonly tool: string;
  readonly name: string;
}

export interface RenamedTool extends Named {
  /** Server and tool simply joined. */
  readonly from: string;
  readonly because: string;
}

export interface RewrittenTool extends Named {
  /** In words, the most important first. */
  readonly changes: readonly string[];
  /** Whether the reader is told less than the server said. */
  readonly lossy: boolean;
}

export interface LeftOutTool extends Named {
  readonly because: string;
}

/** What a model or a client gets otherwise than the servers offer it. */
export interface FitReport {
  /** For people: whom it is for. */
  readonly reader: string;
  /** The profiles that say what it can read. */
  readonly profiles: Audience['profiles'];
  /** How tools are named for it. */
  readonly names: View['naming'];
  /** How many tools it gets. */
  readonly tools: number;
  /** What their definitions cost it, as it gets them. */
  readonly tokens: number;
  /** Tools whose public name is not simply server and tool. */
  readonly renamed: readonly RenamedTool[];
  /** Tools whose schema or description is told in other words. */
  readonly rewritten: readonly RewrittenTool[];
  /** Tools it does not get. */
  readonly dropped: readonly LeftOutTool[];
  /** What else to know before the first request. */
  readonly notes: readonly string[];
}

/** `only`: of this server alone. */
export function describeFit(snapshot: Snapshot, { naming, audience }: View, only?: string): FitReport | undefined {
  if (!audience) return undefined;
  const wanted = ({ server }: Entry): boolean => only === undefined || server === only;
  const entries = snapshot.entries.filter(wanted);
  return {
    reader: audience.title,
    profiles: audience.profiles,
    names: naming,
    tools: entries.length,
    tokens: definitionTokens(entries.map(({ offered }) => offered)),
    renamed: entries.flatMap(entry => renamed(entry, audience)),
    rewritten: entries.flatMap(rewritten),
    dropped: snapshot.beyond.filter(wanted).map(entry => ({ ...named(entry), because: beyond(audience) })),
    notes: notesOn(audience, entries),
  };
}

function named({ server, tool, name }: Entry): Named {
  return { server, tool, name };
}

function renamed(entry: Entry, { names, prefix }: Audience): RenamedTool[] {
  const { renamed: change } = entry.fit;
  if (!change) return [];
  const reasons: Readonly<Record<NonNullable<GivenName['because']>, string>> = {
    characters: 'it holds characters that cannot be read there',
    length: `it has ${change.from.length} characters, and ${names.maxLength} fit${prefix === '' ? '' : ` behind ${prefix}`}`,
    reserved: 'that name is taken',
    forbidden: `it holds ${names.forbidden.map(part => `'${part}'`).join(' or ')}, which may not stand there`,
    ambiguous: 'it could as well be a tool of another server',
    'looks hashed': 'it ends like a name that was changed',
    taken: 'that name was given to another tool before',
  };
  return [{ ...named(entry), from: change.from, because: reasons[change.because] }];
}

function rewritten(entry: Entry): RewrittenTool[] {
  const { changes, descriptionCut } = entry.fit;
  if (changes.length === 0 && !descriptionCut) return [];
  const lossy = changes.filter(isLossy);
  const words = [...lossy, ...changes.filter(change => !isLossy(change))].map(describeChange);
  const cut = descriptionCut ? ['the description is cut'] : [];
  return [{ ...named(entry), changes: [...new Set([...cut, ...words])], lossy: descriptionCut || lossy.length > 0 }];
}

function beyond({ title, maxTools }: Audience): string {
  return `${title} takes ${maxTools} tools`;
}

function notesOn({ profiles, listChanged, maxTools, title }: Audience, entries: readonly Entry[]): string[] {
  const { unknownModel, client } = profiles;
  const strict = entries.filter(({ fit }) => fit.strict).length;
  return [
    ...(unknownModel === undefined
      ? []
      : [`nothing is known of '${unknownModel}': it gets what every known model reads`]),
    ...(client !== undefined && listChanged !== true
      ? [
          `${title} ${listChanged === false ? 'does not read' : 'may not read'} the list again when tools change: start it anew`,
        ]
      : []),
    ...(maxTools !== undefined && entries.length > maxTools * NEARLY ? [`${title} takes ${maxTools} tools`] : []),
    ...(strict > 0 ? [`${strict} of them can be strict`] : []),
  ];
}

/** From here on it is good to know how many there may be. */
const NEARLY = 0.8;

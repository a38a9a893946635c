/** From the words a person uses for a model or a client to the profile that is meant, whole: with all it begins from. */
import { JunctorError } from '../../base/error.ts';
import { compileGlob } from '../../base/text/glob.ts';
import { nearest } from '../../base/text/nearest.ts';
import type { ProfileDef } from '../../config/schema/profile-schema.ts';
import { CLIENT_PROFILES, MODEL_PROFILES, type Profiles } from './built-in.ts';

/** Profiles that a config adds, or changes. */
export interface OwnProfiles {
  readonly models?: Profiles | undefined;
  readonly clients?: Profiles | undefined;
}

export interface FoundProfile {
  readonly id: string;
  readonly profile: ProfileDef;
}

/** `openai`, `anthropic/claude-sonnet-4-5` or `gpt-5`. A model nobody knows gets what every known one reads. */
export function findModel(model: string, { models: own = {} }: OwnProfiles = {}): FoundProfile {
  const all = { ...MODEL_PROFILES, ...own };
  const id = idOfModel(model, all);
  return { id, profile: whole({ id, own, builtIn: MODEL_PROFILES, what: 'model' }) };
}

/** Clients are known by name, or not at all: a mistyped one must not pass for any client. */
export function findClient(client: string, { clients: own = {} }: OwnProfiles = {}): FoundProfile {
  const all = { ...CLIENT_PROFILES, ...own };
  const id = client.toLowerCase();
  if (!Object.hasOwn(all, id)) {
    const near = nearest(id, Object.keys(all));
    throw new JunctorError('usage', `There is no profile of a client '${client}'.`, {
      hint: `${near === undefined ? '' : `did you mean '${near}'? `}Known are ${Object.keys(all).join(', ')}; client_profiles in the config adds more`,
    });
  }
  return { id, profile: whole({ id, own, builtIn: CLIENT_PROFILES, what: 'client' }) };
}

function idOfModel(model: string, all: Profiles): string {
  const words = [model, ...model.split('/').slice(0, 1), ...model.split('/').slice(-1)].map(word => word.toLowerCase());
  const named = words.find(word => Object.hasOwn(all, word));
  if (named !== undefined) return named;
  // One that changes a built-in profile is for the same models, unless it says otherwise.
  const patternsOf = (one: string): string[] => all[one]?.models ?? MODEL_PROFILES[one]?.models ?? [];
  // What a config adds stands last, and is looked at first.
  const byPattern = Object.keys(all)
    .reverse()
    .find(id => patternsOf(id).some(pattern => words.some(word => compileGlob(pattern).test(word))));
  return byPattern ?? 'default';
}

interface Chain {
  readonly id: string;
  readonly own: Profiles;
  readonly builtIn: Profiles;
  readonly what: 'model' | 'client';
}

function whole({ id, own, builtIn, what }: Chain): ProfileDef {
  const parts: ProfileDef[] = [];
  const seen = new Set<ProfileDef>();
  let at: string | undefined = id;
  let isOwn = Object.hasOwn(own, id);
  while (at !== undefined) {
    const part: ProfileDef | undefined = isOwn ? own[at] : builtIn[at];
    if (!part || seen.has(part)) throw badChain(what, id, at, part !== undefined, Object.keys({ ...builtIn, ...own }));
    seen.add(part);
    parts.unshift(part);
    const parent: string | undefined = part.extends ?? (isOwn ? behindOwn(at, builtIn) : behindBuiltIn(at, what));
    isOwn = parent !== at && parent !== undefined && Object.hasOwn(own, parent);
    at = parent;
  }
  return parts.reduce(laidOver, {});
}

/** One that changes a built-in profile begins from that, any other from what everybody reads. */
function behindOwn(id: string, builtIn: Profiles): string {
  return Object.hasOwn(builtIn, id) ? id : 'default';
}

/** A built-in profile of a model says all there is to say: what everybody reads is narrower. */
function behindBuiltIn(id: string, what: Chain['what']): string | undefined {
  return what === 'client' && id !== 'default' ? 'default' : undefined;
}

/** What the upper one says counts; what it does not say is as below. */
function laidOver(below: ProfileDef, above: ProfileDef): ProfileDef {
  return {
    ...below,
    ...above,
    names: { ...below.names, ...above.names },
    ...(below.schema || above.schema ? { schema: { ...below.schema, ...above.schema } } : {}),
  };
}

function badChain(what: string, id: string, at: string, circular: boolean, known: readonly string[]): JunctorError {
  const key = `${what}_profiles.${id}`;
  if (circular)
    return new JunctorError('config_invalid', `The ${what} profile '${id}' begins from itself.`, {
      hint: `change extends in ${key}`,
    });
  const near = nearest(at, known);
  return new JunctorError('config_invalid', `The ${what} profile '${id}' begins from '${at}', which does not exist.`, {
    hint: `set extends in ${key} to ${near === undefined ? `one of ${known.join(', ')}` : `'${near}'`}`,
  });
}

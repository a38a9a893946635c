/** Who reads the tools: a model, a client, or a client with its model. What all of them can read, ready for use. */
import { canonicalJson } from '../../base/json/canonical-json.ts';
import type { ProfileDef, SchemaRules } from '../../config/schema/profile-schema.ts';
import { COMMON_CHARACTERS, COMMON_LENGTH, characterSet, type NameRule, OWN_TOOLS } from '../naming/name-rule.ts';
import { DEFAULT_DESCRIPTION_CHARS } from '../untrusted/describe-tool.ts';
import { type FoundProfile, findClient, findModel, type OwnProfiles } from './find-profile.ts';
import { common, commonCharacters, least, stricterSchema } from './stricter.ts';

/** Who reads the tools: names and schemas are such as they can read. */
export interface Readers {
  /** `openai`, `anthropic/claude-sonnet-4-5`, `gpt-5`, or a profile of the config. */
  readonly model?: string | undefined;
  /** The id of an agent, such as `claude-code`, or a profile of the config. */
  readonly client?: string | undefined;
}

export interface Audience {
  /** Equal texts read the same. */
  readonly key: string;
  /** For people: `Claude Code`, `OpenAI Chat Completions through Cursor`. */
  readonly title: string;
  /** Ids of the profiles, and what the person called the model where no profile is about it. */
  readonly profiles: { readonly model?: string; readonly client?: string; readonly unknownModel?: string };
  readonly names: NameRule;
  /** What the client puts before each name. */
  readonly prefix: string;
  readonly descriptionChars: number;
  readonly maxTools: number | undefined;
  /** Undefined where nobody knows. */
  readonly listChanged: boolean | undefined;
  readonly contextWindow: number | undefined;
  readonly toolCalling: boolean;
  readonly media: readonly string[] | undefined;
  readonly schema: SchemaRules | undefined;
}

/** The key of our entry in the files of clients: it is in the names that their models see. */
const OUR_KEY = 'junctor';

/** Undefined where nobody is named. */
export function audienceOf({ model, client }: Readers, own: OwnProfiles = {}): Audience | undefined {
  const named = model === undefined ? undefined : findModel(model, own);
  if (client === undefined)
    return named && audience(named.profile, title(named), { model: named.id, ...unknown(named, model) });
  const found = findClient(client, own);
  const profiles = { client: found.id, ...(named ? { model: named.id, ...unknown(named, model) } : {}) };
  if (named)
    return audience(stricter(found.profile, named.profile), `${title(named)} through ${title(found)}`, profiles);
  const { provider } = found.profile;
  const behind = provider === undefined ? {} : findModel(provider, own).profile;
  // A client knows how much it passes on; how it may be spelled the model behind it decides.
  const { max_tools, description_chars, context_window, media } = found.profile;
  const knows = { ...behind, ...stripped({ max_tools, description_chars, context_window, media }) };
  return audience(stricter(found.profile, knows), title(found), profiles);
}

function stricter(client: ProfileDef, model: ProfileDef): ProfileDef {
  const { names: c = {} } = client;
  const { names: m = {} } = model;
  return stripped({
    ...client,
    names: stripped({
      prefix: c.prefix,
      characters: commonCharacters(c.characters, m.characters),
      // What a client puts before a name stands first.
      first: c.prefix ? undefined : commonCharacters(c.first ?? c.characters, m.first ?? m.characters),
      max_length: least(c.max_length, m.max_length),
      reserved: [...(c.reserved ?? []), ...(m.reserved ?? [])],
      forbidden: c.forbidden,
    }),
    description_chars: least(client.description_chars, model.description_chars),
    max_tools: least(client.max_tools, model.max_tools),
    context_window: least(client.context_window, model.context_window),
    tool_calling: client.tool_calling !== false && model.tool_calling !== false,
    media: common(client.media, model.media) as ProfileDef['media'],
    schema: stricterSchema(client.schema, model.schema),
  });
}

function audience(profile: ProfileDef, name: string, profiles: Audience['profiles']): Audience {
  const {
    names = {},
    description_chars,
    max_tools,
    list_changed,
    context_window,
    tool_calling,
    media,
    schema,
  } = profile;
  const prefix = (names.prefix ?? '').replaceAll('{key}', OUR_KEY);
  const rule = nameRule(names, prefix);
  return {
    key: canonicalJson({ names, description_chars, max_tools, list_changed, schema }),
    title: name,
    profiles,
    names: rule,
    prefix,
    descriptionChars: description_chars ?? DEFAULT_DESCRIPTION_CHARS,
    maxTools: max_tools,
    listChanged: list_changed,
    contextWindow: context_window,
    toolCalling: tool_calling ?? true,
    media,
    schema,
  };
}

function nameRule(names: NonNullable<ProfileDef['names']>, prefix: string): NameRule {
  const characters = characterSet(names.characters ?? COMMON_CHARACTERS);
  return {
    characters,
    first: names.first === undefined || prefix !== '' ? characters : characterSet(names.first),
    maxLength: (names.max_length ?? COMMON_LENGTH) - prefix.length,
    reserved: new Set([...OWN_TOOLS, ...(names.reserved ?? [])]),
    forbidden: names.forbidden ?? [],
  };
}

function title({ id, profile }: FoundProfile): string {
  return profile.title ?? id;
}

function unknown({ id }: FoundProfile, model: string | undefined): { readonly unknownModel?: string } {
  return id === 'default' && model !== undefined && model !== 'default' ? { unknownModel: model } : {};
}

function stripped<Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  const kept = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(kept) as { [Key in keyof Value]: Exclude<Value[Key], undefined> };
}

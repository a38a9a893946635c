/**
 * What a model or a client can read, as data: which names, which schemas, how many tools. The profiles that come with
 * Junctor have this shape too, so a person can write one, or change one, without touching the program.
 */
import * as z from 'zod/mini';
import { may } from './schema-words.ts';

const count = () => z.int().check(z.positive());
const text = () => z.string().check(z.minLength(1));
const words = () => z.array(text());

/** Which words may be used: by their characters and their length. */
const spelling = () => ({
  characters: may(
    text(),
    'Characters that may be used, with ranges, such as A-Za-z0-9_- (a - that stands last is itself).',
  ),
  first: may(text(), 'Characters that may stand first. Default: all of them.'),
  max_length: may(count(), 'How long it may be.'),
});

const schemaRules = () =>
  z.strictObject({
    root_combinators: may(z.boolean(), 'false: no anyOf, oneOf, allOf, not, enum or if at the root. Default true.'),
    references: may(z.enum(['keep', 'inline']), 'inline: what $ref names is put in its place. Default keep.'),
    keywords: may(words(), 'The words that are understood; all others are left out. Default: any.'),
    formats: may(words(), 'The values of format that are understood. Default: any.'),
    type_lists: may(z.boolean(), 'false: type is one word, never a list. Default true.'),
    null: may(
      z.enum(['type', 'nullable']),
      'How it is said that a value may be null: as a type, or with the word nullable. Default type.',
    ),
    enums: may(z.enum(['any', 'strings']), 'strings: enum holds texts that are not empty. Default any.'),
    any_of: may(z.enum(['any', 'alone']), 'alone: nothing may stand beside anyOf. Default any.'),
    items_required: may(z.boolean(), 'true: every array says what its items are. Default false.'),
    tuples: may(
      z.enum(['any', 'prefix', 'none']),
      'How lists with a schema for each place are told: any way, with prefixItems, or not at all. Default any.',
    ),
    typed: may(z.boolean(), 'true: every schema names its type and holds only what belongs to it. Default false.'),
    property_names: may(z.strictObject(spelling()), 'What properties may be called.'),
    property_names_at: may(z.enum(['root', 'all']), 'Where that counts. Default all.'),
    max_depth: may(count(), 'How many levels there may be; deeper ones lose their details.'),
    budget_bytes: may(count(), 'Larger schemas are made smaller, step by step.'),
    strict: may(z.boolean(), 'true: tools are marked strict where that changes nothing. Default false.'),
  });

const profile = () =>
  z.strictObject({
    extends: may(text(), 'Id of the profile it begins from. Default: the built-in one of the same id, else default.'),
    title: may(z.string(), 'What people call it.'),
    models: may(words(), 'Names of models it is for, * for anything: gpt-*.'),
    provider: may(text(), 'Of a client: id of the profile of its models, where none is named.'),
    names: may(
      z.strictObject({
        ...spelling(),
        prefix: may(
          z.string(),
          'What a client puts before a name, {key} for the key of its entry. It counts as part of the length.',
        ),
        reserved: may(words(), 'Names that are taken.'),
        forbidden: may(words(), 'What may stand nowhere in a name.'),
      }),
      'What tools may be called.',
    ),
    description_chars: may(count(), 'Longer descriptions are cut. Default 2000.'),
    max_tools: may(count(), 'How many tools are taken. Default: any number.'),
    list_changed: may(
      z.boolean(),
      'Whether it reads the list again when it is told that tools changed. Unset: nobody knows.',
    ),
    transports: may(z.array(z.enum(['stdio', 'http', 'sse', 'ws'])), 'How a client reaches a server.'),
    media: may(z.array(z.enum(['image', 'audio', 'file'])), 'What results may hold beside text.'),
    context_window: may(count(), 'How many tokens fit.'),
    tool_calling: may(z.boolean(), 'false: it calls no tools, so that none are searched for it. Default true.'),
    schema: may(schemaRules(), 'Which JSON Schema is understood.'),
    sources: may(z.array(z.string()), 'Where the facts are from.'),
  });

/** Made when a config has one: hardly any has, and every command reads a config. */
export const Profile = z.lazy(profile);

export type ProfileDef = z.infer<typeof Profile>;
export type SchemaRules = NonNullable<ProfileDef['schema']>;
export type Spelling = NonNullable<SchemaRules['property_names']>;

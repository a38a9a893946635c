import { describe, expect, test } from 'vitest';
import { AGENT_NAMES } from '../../config/dialects/dialect.ts';
import { Profile } from '../../config/schema/profile-schema.ts';
import { misfitOf } from '../naming/name-rule.ts';
import { audienceOf } from './audience.ts';
import { CLIENT_PROFILES, MODEL_PROFILES } from './built-in.ts';
import { findClient, findModel } from './find-profile.ts';
import { stricterSchema } from './stricter.ts';

describe('the built-in profiles', () => {
  test('have the shape a config may have, and say where their facts are from', () => {
    for (const profile of [...Object.values(MODEL_PROFILES), ...Object.values(CLIENT_PROFILES)]) {
      expect(Profile.safeParse(profile).error).toBeUndefined();
      expect(profile.title).toBeTruthy();
      expect(profile.sources?.length).toBeGreaterThan(0);
    }
  });

  test('are there for every agent, and for any other client', () => {
    expect(Object.keys(CLIENT_PROFILES)).toEqual(['default', ...[...AGENT_NAMES].sort()]);
    for (const id of Object.keys(CLIENT_PROFILES))
      expect(audienceOf({ client: id })?.title).toBe(CLIENT_PROFILES[id]?.title);
  });
});

describe('a model', () => {
  test.each([
    ['openai', 'openai'],
    ['OpenAI/gpt-5.2', 'openai'],
    ['gpt-5.2-mini', 'openai'],
    ['openai-responses', 'openai-responses'],
    ['anthropic/claude-sonnet-4-5', 'anthropic'],
    ['claude-opus-4-1', 'anthropic'],
    ['openrouter/anthropic/claude-3.7', 'anthropic'],
    ['google/gemini-2.5-pro', 'gemini'],
    ['us.anthropic.claude-3-5-sonnet-20241022-v2:0', 'bedrock'],
    ['llama3.3:70b', 'default'],
    ['default', 'default'],
  ])('%s is read as %s', (model, id) => {
    expect(findModel(model).id).toBe(id);
  });

  test('nobody knows gets what all can read, and that is told', () => {
    expect(audienceOf({ model: 'llama3' })?.profiles).toEqual({ model: 'default', unknownModel: 'llama3' });
    expect(audienceOf({ model: 'gpt-5' })?.profiles).toEqual({ model: 'openai' });
  });
});

describe('a client', () => {
  test.each([
    ['qwen-code', 63 - 'mcp__junctor__'.length, 49],
    ['claude-code', 128 - 'mcp__junctor__'.length, 114],
    ['gemini', 63 - 'mcp_junctor_'.length, 51],
    ['copilot', 63 - 'junctor-'.length, 55],
    ['cursor', 59 - 'junctor'.length, 52],
    // No limit of its own: that of the models behind it counts, with what it puts before.
    ['opencode', 63 - 'junctor_'.length, 55],
    ['continue', 63, 63],
    ['default', 49, 49],
  ])('%s takes names of %i characters: its own prefix counts', (client, maxLength, same) => {
    expect([audienceOf({ client })?.names.maxLength, maxLength]).toEqual([same, same]);
  });

  test('and a model together take what both can read', () => {
    const both = audienceOf({ client: 'claude-code', model: 'openai' });
    expect(both).toMatchObject({
      title: 'OpenAI Chat Completions through Claude Code',
      maxTools: 128,
      descriptionChars: 1024,
    });
    expect(both?.names.maxLength).toBe(64 - 'mcp__junctor__'.length);
    expect(audienceOf({ client: 'grok' })?.names.forbidden).toEqual(['__']);
    expect(audienceOf({ client: 'claude-code' })?.maxTools).toBeUndefined();
    expect(audienceOf({ client: 'codex' })).toMatchObject({
      maxTools: 10_000,
      listChanged: false,
      descriptionChars: 2000,
    });
    expect(audienceOf({})).toBeUndefined();
  });

  test('that is mistyped is not any client', () => {
    expect(() => findClient('curser')).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.stringContaining("did you mean 'cursor'?") }),
    );
  });
});

describe('a profile of a config', () => {
  const own = {
    models: {
      tiny: { models: ['tiny-*'], names: { max_length: 20 } },
      openai: { max_tools: 10 },
      ours: { extends: 'tiny', schema: { budget_bytes: 100 } },
      lost: { extends: 'opnai' },
      a: { extends: 'b' },
      b: { extends: 'a' },
    },
    clients: { mine: { extends: 'cursor', title: 'Mine', max_tools: 3 } },
  };

  test('begins from another, from the built-in one of its name, or from default', () => {
    expect(findModel('tiny-7b', own)).toMatchObject({
      id: 'tiny',
      profile: { names: { max_length: 20, first: 'A-Za-z' } },
    });
    expect(findModel('openai/gpt-5', own).profile).toMatchObject({ max_tools: 10, names: { max_length: 64 } });
    // Of a built-in one only what is said is changed.
    expect(findModel('openai', own).profile.schema).toEqual(findModel('openai').profile.schema);
    expect(findModel('ours', own).profile).toMatchObject({
      names: { max_length: 20 },
      schema: { budget_bytes: 100, typed: true },
    });
    expect(audienceOf({ client: 'mine' }, own)).toMatchObject({ title: 'Mine', maxTools: 3, listChanged: false });
  });

  test('that begins from nothing, or from itself, is told', () => {
    expect(() => findModel('lost', own)).toThrow(
      expect.objectContaining({ code: 'config_invalid', hint: "set extends in model_profiles.lost to 'openai'" }),
    );
    expect(() => findModel('a', own)).toThrow("The model profile 'a' begins from itself.");
  });
});

test('the stricter of two rules is the same whichever comes first', () => {
  const [a, b] = [MODEL_PROFILES.anthropic?.schema, MODEL_PROFILES.gemini?.schema];
  const both = stricterSchema(a, b);
  expect(stricterSchema(b, a)).toEqual(both);
  expect(both).toMatchObject({ tuples: 'none', references: 'inline', typed: true, root_combinators: false });
  expect(both?.property_names_at).toBeUndefined();
  const rule = audienceOf({ model: 'gemini' })?.names;
  expect(rule && [misfitOf('a.b', rule), misfitOf('9', rule)]).toEqual([undefined, 'characters']);
});

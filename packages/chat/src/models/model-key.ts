/** The key for a provider: from the environment, else from the secret store. It is learnt by the redactor before it is used. */
import { openSecrets } from '@junctor/core/config-write';
import { JunctorError, type Redactor, type Surroundings } from '@junctor/core/light';
import type { ModelChoice } from './model-choice.ts';

const KEY_NAMES: Readonly<Record<ModelChoice['provider'], readonly string[]>> = {
  openai: ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
  // A provider's own key is never sent to an address that is not named as this provider's.
  compatible: [],
};

/** The key of any address given with --base-url. */
const OWN_KEY = 'JUNCTOR_MODEL_KEY';

/** Tokens and keys of Junctor itself. */
const OWN_NAMES = /^JUNCTOR_(.*_)?(TOKEN|KEY)(_|$)/i;

/** What the agent's own commands get to see: no key that is meant for Junctor alone. */
export function withoutKeys(env: Surroundings['env']): Record<string, string | undefined> {
  const hidden = new Set(Object.values(KEY_NAMES).flat());
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.has(name) && !OWN_NAMES.test(name)));
}

export interface KeyPlaces {
  readonly surroundings: Surroundings;
  readonly dataDirectory: string;
  readonly redactor: Redactor;
}

/** Undefined where an address of one's own is asked without a key: most on this machine want none. */
export async function modelKey({ provider, baseUrl }: ModelChoice, places: KeyPlaces): Promise<string | undefined> {
  const names = baseUrl === undefined ? KEY_NAMES[provider] : [OWN_KEY, ...KEY_NAMES[provider]];
  const key = fromEnvironment(names, places) ?? (await fromStore(names, places));
  places.redactor.learn(key);
  if (key === undefined && baseUrl === undefined) throw noKey(provider, names[0] as string);
  return key;
}

function fromEnvironment(names: readonly string[], { surroundings }: KeyPlaces): string | undefined {
  return names.map(name => surroundings.env[name]).find(Boolean);
}

async function fromStore(names: readonly string[], { surroundings, dataDirectory }: KeyPlaces) {
  const secrets = await openSecrets({ surroundings, dataDirectory });
  const stored = new Set(await secrets.list());
  const name = names.find(one => stored.has(one));
  return name === undefined ? undefined : secrets.get(name);
}

function noKey(provider: string, name: string): JunctorError {
  return new JunctorError('model_required', `There is no key for ${provider}.`, {
    why: `the variable ${name} is not set, and no secret has this name`,
    hint: `junctor secret set ${name}`,
  });
}

/** Which model is meant, from the words a person gave. Pure. */
import { JunctorError } from '@junctor/core/light';

export const PROVIDERS = ['openai', 'anthropic', 'google'] as const;
export type Provider = (typeof PROVIDERS)[number];

export interface ModelChoice {
  /** `compatible`: any server that speaks OpenAI's Chat Completions. */
  readonly provider: Provider | 'compatible';
  readonly name: string;
  readonly baseUrl?: string;
}

/** Which model, in words. */
export interface ModelWords {
  /** `anthropic/NAME`, `openai/NAME` or `google/NAME`; with `baseUrl` any name. Default: `JUNCTOR_MODEL`. */
  readonly model?: string | undefined;
  /** Where the model is: any server that speaks the OpenAI API. Default: `JUNCTOR_BASE_URL`, else the provider's own. */
  readonly baseUrl?: string | undefined;
  /** The command of the person, for what they can type next. Default: `junctor chat`. */
  readonly command?: string | undefined;
}

/** `openai/gpt-5` names a provider; with a base URL, any other name is passed on as it is. */
export function chooseModel({ model, baseUrl, command = 'junctor chat' }: ModelWords): ModelChoice {
  if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) {
    throw new JunctorError('usage', `--base-url cannot be '${baseUrl}'.`, {
      hint: 'an http or https address, such as http://127.0.0.1:11434/v1',
    });
  }
  if (!model) throw baseUrl === undefined ? noModel(command) : noName(baseUrl);
  const at = model.indexOf('/');
  const [prefix, rest] = [model.slice(0, at), model.slice(at + 1)];
  const where = baseUrl === undefined ? {} : { baseUrl };
  const provider = PROVIDERS.find(known => known === prefix);
  if (provider && rest) return { provider, name: rest, ...where };
  if (baseUrl === undefined) throw unknownProvider(model);
  // For names that themselves begin with the name of a provider.
  return { provider: 'compatible', name: prefix === 'compatible' && rest ? rest : model, ...where };
}

function noModel(command: string): JunctorError {
  return new JunctorError('model_required', 'No model is chosen: the agent needs one to answer.', {
    why: 'neither --model nor the variable JUNCTOR_MODEL names one',
    hint: "pass model: 'anthropic/NAME', 'openai/NAME' or 'google/NAME'; or baseUrl and model of any server that speaks the OpenAI API",
    command: [
      'one of these three ways:',
      '  a provider    set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY (or: junctor secret set ANTHROPIC_API_KEY),',
      `                then: ${command} --model anthropic/NAME   (or openai/NAME, google/NAME)`,
      '  this machine  start Ollama, LM Studio, vLLM or llama.cpp, then:',
      `                ${command} --base-url http://127.0.0.1:11434/v1 --model NAME`,
      '  any other     a service that speaks the OpenAI API, its key in JUNCTOR_MODEL_KEY:',
      `                ${command} --base-url https://HOST/v1 --model NAME`,
      'JUNCTOR_MODEL and JUNCTOR_BASE_URL hold your choice for every time.',
    ].join('\n'),
  });
}

function noName(baseUrl: string): JunctorError {
  return new JunctorError('model_required', `Which model of ${baseUrl} is meant?`, {
    hint: 'pass model, as that server calls it',
    command: 'add --model NAME, as that server calls it',
  });
}

function unknownProvider(model: string): JunctorError {
  return new JunctorError('usage', `--model cannot be '${model}' without --base-url.`, {
    why: `providers are known by name: ${PROVIDERS.join(', ')}`,
    hint: `write it as ${PROVIDERS[0]}/NAME, or add --base-url URL`,
  });
}

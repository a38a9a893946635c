/** The models that search deferred tools themselves, as far as their makers say so. Pure. */

/** From Claude 4.5 on, in the names of Anthropic and of those who resell its models. */
export function claudeSearches(model: string | undefined): boolean {
  return versionOf(model, /claude-[a-z]+-(\d+)(?:[-.](\d{1,2}))?(?![\d.])/) >= 4.05;
}

/** From GPT-5.4 on. */
export function gptSearches(model: string | undefined): boolean {
  return versionOf(model, /gpt-(\d+)(?:\.(\d{1,2}))?/) >= 5.04;
}

/** `4.5` → 4.05, so that 4.10 is above it; nothing known → 0. */
function versionOf(model: string | undefined, pattern: RegExp): number {
  const [, major = '0', minor = '0'] = pattern.exec(model ?? '') ?? [];
  return Number(major) + Number(minor) / 100;
}

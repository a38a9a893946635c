/** The judges by provider. A test holds every adapted schema against them, and the doctor the schemas of a server. */
import { judgeAnthropic } from './anthropic.ts';
import { judgeBedrock } from './bedrock.ts';
import type { Complaint, Judge } from './complaint.ts';
import { judgeGemini } from './gemini.ts';
import { judgeOpenAi } from './openai.ts';

export const JUDGES: Readonly<Record<string, Judge>> = {
  anthropic: judgeAnthropic,
  bedrock: judgeBedrock,
  gemini: judgeGemini,
  openai: judgeOpenAi,
  'openai-responses': judgeOpenAi,
};

/** What each provider would say about a schema as its server wrote it; providers that take it are left out. */
export function lintSchema(
  schema: unknown,
): { readonly provider: string; readonly complaints: readonly Complaint[] }[] {
  return Object.entries(JUDGES).flatMap(([provider, judge]) => {
    const complaints = judge(schema);
    return complaints.length > 0 ? [{ provider, complaints }] : [];
  });
}

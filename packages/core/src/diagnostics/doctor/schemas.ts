/** What each provider would say about the schemas of a server as they are: the judges of the catalogue, over all its tools. */
import type { ToolDefinition } from '../../catalogue/entry.ts';
import { JUDGES, lintSchema } from '../../catalogue/schema-fit/judges/judge.ts';
import { counted, type Finding } from './finding.ts';

interface Refused {
  readonly provider: string;
  readonly tool: string;
  /** What the provider complains about first. */
  readonly says: string;
}

const MOST_SHOWN = 5;

/** Nothing to mend: what a provider refuses is rewritten for it. Undefined where there are no tools. */
export function examineSchemas(tools: readonly ToolDefinition[]): Finding | undefined {
  if (tools.length === 0) return undefined;
  const refused = tools.flatMap(({ name, inputSchema }) =>
    lintSchema(inputSchema).map(
      ({ provider, complaints: [first] }): Refused => ({
        provider,
        tool: name,
        says: `${first?.at || '/'} ${first?.says}`,
      }),
    ),
  );
  const shown = refused.slice(0, MOST_SHOWN).map(({ provider, tool, says }) => `${provider}: ${tool}: ${says}`);
  const more = refused.length > MOST_SHOWN ? [`and ${refused.length - MOST_SHOWN} more; --json has all`] : [];
  return {
    step: 'schemas',
    outcome: 'ok',
    detail: Object.keys(JUDGES)
      .map(provider => `${provider} ${verdict(refused.filter(one => one.provider === provider).length)}`)
      .join(', '),
    ...(refused.length > 0 ? { lines: [...shown, ...more] } : {}),
    facts: { refused },
  };
}

function verdict(count: number): string {
  return count === 0 ? 'takes all' : `gets ${counted(count, 'schema')} rewritten`;
}

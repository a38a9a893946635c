/** How a snapshot looks: by which strategy its tools are named, and who reads them. */
import { expectFit, type NamingStrategy } from './naming/strategy.ts';
import type { Audience } from './profiles/audience.ts';

export interface View {
  /** Equal texts are the same view. */
  readonly key: string;
  readonly naming: NamingStrategy;
  /** Undefined where nobody is named: then names are such as every provider reads, and schemas are as the server has them. */
  readonly audience: Audience | undefined;
}

/** Throws where the strategy makes names that its readers cannot read. */
export function viewOf(naming: NamingStrategy, audience?: Audience): View {
  if (audience) expectFit(naming, audience.names, audience.title);
  return { key: `${naming} ${audience?.key ?? ''}`, naming, audience };
}

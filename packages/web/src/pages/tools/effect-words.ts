import type { ShortTool } from '@junctor/hub/answers';

/** What a server says of its tool, which nobody checks. */
export const EFFECT_WORDS: Readonly<Record<ShortTool['effect'], string>> = {
  destroys: 'May destroy something, says its server',
  reads: 'Only reads, says its server',
  writes: 'Changes something, says its server',
  unsaid: 'Its server does not say what it may do',
};

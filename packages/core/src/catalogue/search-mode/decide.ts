/**
 * Whether the tools of a run are searched instead of listed: where a model can call tools, its window is large enough, and
 * the descriptions would take more of it than they may. Decided once, when a run begins. Pure.
 */
import type { SearchDef } from '../../config/schema/schema.ts';

export interface SearchFacts {
  /** What the config says; a key that is missing has its default. */
  readonly rule?: SearchDef | undefined;
  readonly toolCalling: boolean;
  /** In tokens. */
  readonly contextWindow: number;
  /** All that the servers say about their tools. */
  readonly descriptionChars: number;
}

/** A window of this size is what most models of today have: it counts where nobody names one. */
export const DEFAULT_CONTEXT_WINDOW = 200_000;

/** Descriptions hold names and addresses, which take more tokens than prose. Everywhere else a token is 4 characters. */
const CHARS_PER_TOKEN = 2.5;

export const DEFAULT_THRESHOLD = 0.1;

export function searchesTools({ rule = {}, toolCalling, contextWindow, descriptionChars }: SearchFacts): boolean {
  const { enabled = true, context_threshold = DEFAULT_THRESHOLD, min_context_window = 32_000 } = rule;
  if (!enabled || !toolCalling || contextWindow < min_context_window) return false;
  return descriptionChars >= charsAllowed(context_threshold, contextWindow);
}

/** From so many characters on descriptions are searched. */
export function charsAllowed(contextThreshold: number, contextWindow: number): number {
  return wholeChars(contextThreshold * contextWindow * CHARS_PER_TOKEN);
}

/** Whether a search sees at once what a server changed. */
export function followsChanges(rule: SearchDef | undefined): boolean {
  return rule?.search_on_list_changed ?? true;
}

/** Characters are whole; what multiplying fractions adds or takes at the far end of a number is no character. */
function wholeChars(chars: number): number {
  const nearest = Math.round(chars);
  return Math.abs(chars - nearest) < 1e-6 ? nearest : Math.trunc(chars);
}

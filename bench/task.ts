/** What a worker is asked to measure, as it crosses to its process. */
import type { Front, Upstream } from './contestants/contestant.ts';

/** A library inside the worker, or an endpoint that the worker puts load on. */
export type Target = LibraryTarget | EndpointTarget;

export interface LibraryTarget {
  readonly kind: 'library';
  readonly library: string;
  readonly upstreams: readonly Upstream[];
}

export interface EndpointTarget {
  readonly kind: 'endpoint';
  readonly front: Front;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whose CPU and memory to account. Absent when the client goes straight to the server. */
  readonly gateway?: { readonly pid: number; readonly home: string };
}

export type Job =
  | { readonly kind: 'start' }
  | { readonly kind: 'calls' }
  | { readonly kind: 'big'; readonly bytes: number; readonly repeat: number }
  /** `anew`: the server first says that its list changed, so that nobody may answer from memory. */
  | { readonly kind: 'list'; readonly repeat: number; readonly anew: boolean }
  | { readonly kind: 'sessions'; readonly sessions: number };

export interface Task {
  readonly target: Target;
  readonly job: Job;
}

/** Stands before the one line a worker answers with: libraries print what they like on stdout. */
export const ANSWER_MARK = '@@answer ';

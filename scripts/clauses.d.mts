export interface Clause {
  readonly id: string;
  readonly state: 'open' | 'kept';
  readonly statement: string;
}

export interface Proof {
  readonly title: string;
  readonly passed: boolean;
}

export function readClauses(): Clause[];
export function citations(folders?: readonly string[], counts?: (path: string) => boolean): Map<string, Proof[]>;

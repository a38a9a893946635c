/** Where something is written: its layer, file and line. */
export interface Origin {
  readonly layer: string;
  readonly source: string;
  readonly place: { readonly line: number; readonly column: number } | null;
}

export function placeText({ layer, source, place }: Origin): string {
  const line = place ? `:${place.line}:${place.column}` : '';
  return source === '' ? layer : `${layer} ${source}${line}`;
}

/**
 * Text with variables in it, as the canonical config writes it: `${NAME}`, `${NAME:-default}`, `${secret:NAME}`, `$${` for a
 * literal `${`, and `${:-text}` for a text that must not touch what follows it. Pure: it takes text apart and puts it together; what a variable holds is asked elsewhere.
 */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly fallback?: string }
  | { readonly kind: 'secret'; readonly name: string };

const TOKEN = /\$\$\{|\$\{:-([^}]*)\}|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|\$\{secret:([A-Za-z0-9_.-]+)\}/g;

export function parseTemplate(source: string): TemplatePart[] {
  if (!source.includes('${')) return source === '' ? [] : [{ kind: 'text', text: source }];
  const parts: TemplatePart[] = [];
  // Behind the last brace no reference ends. Looking for one there would read the rest of the text again for each `${`.
  const end = source.lastIndexOf('}') + 1;
  let from = 0;
  for (const match of source.slice(0, end).matchAll(TOKEN)) {
    pushText(parts, source.slice(from, match.index));
    const [token, text, name, fallback, secret] = match;
    if (secret !== undefined) parts.push({ kind: 'secret', name: secret });
    else if (name !== undefined)
      parts.push({ kind: 'variable', name, ...(fallback === undefined ? {} : { fallback }) });
    else pushText(parts, text ?? '${');
    from = match.index + token.length;
  }
  pushText(parts, source.slice(from, end));
  pushText(
    parts,
    source.slice(end).replaceAll('$${', () => '${'),
  );
  return parts;
}

export function formatTemplate(parts: readonly TemplatePart[]): string {
  return parts
    .map((part, index) => {
      if (part.kind !== 'text') return formatReference(part);
      // A dollar sign just before a reference would turn it into text.
      const touches = part.text.endsWith('$') && index < parts.length - 1;
      return touches ? `${literal(part.text.slice(0, -1))}\${:-$}` : literal(part.text);
    })
    .join('');
}

/** Text that stands for itself, whatever it looks like. */
export function literal(text: string): string {
  // A function, because `$$` in a replacement text would mean one `$`.
  return text.replaceAll('${', () => '$${');
}

/** The secrets that are named anywhere in a value, each once. */
export function secretNames(value: unknown): string[] {
  if (typeof value === 'string')
    return [...new Set(parseTemplate(value).flatMap(part => (part.kind === 'secret' ? [part.name] : [])))];
  if (typeof value !== 'object' || value === null) return [];
  return [...new Set(Object.values(value).flatMap(secretNames))];
}

function formatReference(part: Exclude<TemplatePart, { kind: 'text' }>): string {
  if (part.kind === 'secret') return `\${secret:${part.name}}`;
  return part.fallback === undefined ? `\${${part.name}}` : `\${${part.name}:-${part.fallback}}`;
}

function pushText(parts: TemplatePart[], text: string): void {
  if (text === '') return;
  const last = parts.at(-1);
  if (last?.kind === 'text') parts[parts.length - 1] = { kind: 'text', text: last.text + text };
  else parts.push({ kind: 'text', text });
}

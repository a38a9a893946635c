/** How each agent writes a variable into its config, translated from and to the canonical way. */
import { formatTemplate, parseTemplate, type TemplatePart } from '../template.ts';

interface VariableSyntax {
  /** Finds each variable; group `name`, and `fallback` where the agent knows defaults. Absent: the agent expands nothing. */
  readonly pattern?: RegExp;
  /** Undefined where this agent has no way to say it. */
  write(part: Exclude<TemplatePart, { kind: 'text' }>): string | undefined;
}

const NAME = '[A-Za-z_][A-Za-z0-9_]*';
const inexpressible = (): undefined => undefined;

export const VARIABLE_SYNTAXES = {
  /** `${NAME}` and `${NAME:-default}`: Claude Code, Droid. */
  'braces-with-default': {
    pattern: new RegExp(`\\$\\{(?<name>${NAME})(?::-(?<fallback>[^}]*))?\\}`, 'g'),
    write: part => (part.kind === 'variable' ? braces(part.name, part.fallback) : undefined),
  },
  /** `${NAME}`, `${NAME:-default}` and `$NAME`: Gemini CLI, Copilot CLI. */
  'braces-or-plain': {
    pattern: new RegExp(`\\$\\{(?<name>${NAME})(?::-(?<fallback>[^}]*))?\\}|\\$(?<plain>${NAME})`, 'g'),
    write: part => (part.kind === 'variable' ? braces(part.name, part.fallback) : undefined),
  },
  /** `${NAME}` alone, no default: Qwen Code, Grok. */
  braces: {
    pattern: new RegExp(`\\$\\{(?<name>${NAME})\\}`, 'g'),
    write: part => (part.kind === 'variable' && part.fallback === undefined ? braces(part.name) : undefined),
  },
  /** `${env:NAME}`: Cursor, VS Code, Windsurf. */
  'dollar-env': {
    pattern: new RegExp(`\\$\\{env:(?<name>${NAME})\\}`, 'g'),
    write: part => (part.kind === 'variable' && part.fallback === undefined ? `\${env:${part.name}}` : undefined),
  },
  /** `{env:NAME}`: opencode, Kilo. */
  'brace-env': {
    pattern: new RegExp(`\\{env:(?<name>${NAME})\\}`, 'g'),
    write: part => (part.kind === 'variable' && part.fallback === undefined ? `{env:${part.name}}` : undefined),
  },
  /** `${{ secrets.NAME }}`, read from the environment: Continue. */
  'double-braces': {
    pattern: new RegExp(`\\$\\{\\{\\s*secrets\\.(?<name>${NAME})\\s*\\}\\}`, 'g'),
    write: part =>
      part.kind === 'variable' && part.fallback === undefined ? `\${{ secrets.${part.name} }}` : undefined,
  },
  /** Nothing is expanded: what looks like a variable is meant literally. */
  none: { write: inexpressible },
} as const satisfies Record<string, VariableSyntax>;

export type VariableSyntaxName = keyof typeof VARIABLE_SYNTAXES;

/** An agent's text as canonical text. What the agent would not expand stays literal. */
export function fromSyntax(text: string, name: VariableSyntaxName): string {
  const { pattern }: VariableSyntax = VARIABLE_SYNTAXES[name];
  const parts: TemplatePart[] = [];
  let from = 0;
  if (pattern) {
    for (const match of text.matchAll(pattern)) {
      if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) });
      const { name: braced, plain, fallback } = match.groups ?? {};
      parts.push({ kind: 'variable', name: braced ?? plain ?? '', ...(fallback === undefined ? {} : { fallback }) });
      from = match.index + match[0].length;
    }
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return formatTemplate(parts);
}

/** Canonical text in an agent's own words; undefined where the agent cannot say it. */
export function toSyntax(text: string, name: VariableSyntaxName): string | undefined {
  const { pattern, write }: VariableSyntax = VARIABLE_SYNTAXES[name];
  let written = '';
  for (const part of parseTemplate(text)) {
    const piece = part.kind === 'text' ? part.text : write(part);
    if (piece === undefined) return undefined;
    // Literal text the agent would take for a variable cannot be written either.
    if (part.kind === 'text' && pattern && new RegExp(pattern.source).test(piece)) return undefined;
    written += piece;
  }
  return written;
}

function braces(name: string, fallback?: string): string {
  return fallback === undefined ? `\${${name}}` : `\${${name}:-${fallback}}`;
}

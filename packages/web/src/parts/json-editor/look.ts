/** How the editor looks: in the colours of the page, which change with its theme. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const card = { backgroundColor: 'var(--color-card)', color: 'var(--color-text)' };
const line = '1px solid var(--color-line)';
const chosen = {
  backgroundColor: 'color-mix(in srgb, var(--color-accent) 20%, var(--color-card))',
  color: 'var(--color-text)',
};

const theme = EditorView.theme({
  '&': { ...card, border: line, borderRadius: '0.5rem', fontSize: '0.875rem' },
  '&.cm-focused, &:focus-within': { outline: '2px solid var(--color-accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', maxHeight: '65vh', minHeight: '12rem' },
  '.cm-content': { caretColor: 'var(--color-text)', padding: '0.5rem 0' },
  '.cm-gutters': { ...card, color: 'var(--color-quiet)', borderRight: line },
  '.cm-tooltip': { ...card, border: line, borderRadius: '0.375rem', maxWidth: 'min(28rem, 90vw)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': chosen,
  '.cm-completionDetail': { color: 'var(--color-quiet)', fontStyle: 'normal' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-diagnostic': { overflowWrap: 'anywhere' },
  '.cm-panels': { ...card, borderTop: line },
  '.cm-panel.cm-panel-lint ul [aria-selected]': chosen,
  '&.cm-focused .cm-matchingBracket': chosen,
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--color-accent)' },
  { tag: tags.string, color: 'var(--color-good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--color-wait)' },
]);

export const look: Extension = [theme, syntaxHighlighting(colours)];

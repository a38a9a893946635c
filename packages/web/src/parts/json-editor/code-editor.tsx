/** An editor of JSON that knows a schema. Loaded when it is first shown: it is larger than the rest of the page. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { Annotation, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { completeFrom } from './complete.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Wrong } from './judge.ts';
import { lintWith, tellWrong } from './lint.ts';
import { look } from './look.ts';

/** A change that the page made, and nobody typed. */
const byPage = Annotation.define<true>();

export interface CodeEditorProps {
  readonly label: string;
  readonly text: string;
  readonly schema: JsonSchema;
  /** What else is wrong with the text, besides what the schema says. */
  readonly wrong: readonly Wrong[];
  readonly onWrite: (text: string) => void;
}

export default function CodeEditor({ label, text, schema, wrong, onWrite }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  // What was typed comes back as `text`, later than the next letter: it must not be put in the place of more.
  const underway = useRef(new Set<string>());
  const latest = useRef({ text, onWrite });
  latest.current = { text, onWrite };
  useEffect(() => {
    const place = host.current as HTMLDivElement;
    // Only in a shadow does it bring its styles in a way that the page's policy allows.
    const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
    const written = EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      if (!docChanged || transactions.some(one => one.annotation(byPage))) return;
      const now = state.doc.toString();
      underway.current.add(now);
      latest.current.onWrite(now);
    });
    const state = EditorState.create({ doc: latest.current.text, extensions: [written, ...equipment(label, schema)] });
    const editor = new EditorView({ state, parent: root, root });
    view.current = editor;
    return () => editor.destroy();
  }, [label, schema]);
  useEffect(() => {
    const editor = view.current;
    const isShown = editor?.state.doc.toString() === text;
    if (isShown) underway.current.clear();
    if (!editor || isShown || underway.current.has(text)) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text }, annotations: byPage.of(true) });
  }, [text]);
  useEffect(() => view.current?.dispatch({ effects: tellWrong.of(wrong) }), [wrong]);
  return <div ref={host} />;
}

/** Tab leaves the editor, as it leaves any field: whoever has no pointer must get out again. */
function equipment(label: string, schema: JsonSchema): Extension[] {
  return [
    lineNumbers(),
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ override: [completeFrom(schema)], icons: false, interactionDelay: 0 }),
    json(),
    lintWith(schema),
    lintGutter(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
    look,
  ];
}

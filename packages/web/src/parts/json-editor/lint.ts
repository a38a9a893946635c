/** What is wrong, at its place in the text: by the schema at once, and by the hub as soon as it has answered. */
import { jsonParseLinter } from '@codemirror/lang-json';
import { type Diagnostic, linter } from '@codemirror/lint';
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import type { JsonSchema } from './json-schema.ts';
import { rangeAt } from './json-tree.ts';
import { judge, type Wrong } from './judge.ts';

/** Nobody wants to be told of what is wrong between two letters. */
const PAUSE_MS = 250;

/** What the hub found wrong with this text. */
export const tellWrong = StateEffect.define<readonly Wrong[]>();

const told = StateField.define<readonly Wrong[]>({
  create: () => [],
  update: (value, { effects }) => effects.find(effect => effect.is(tellWrong))?.value ?? value,
});

export function lintWith(schema: JsonSchema): Extension {
  const notJson = jsonParseLinter();
  const lint = linter(
    view => {
      const broken = notJson(view);
      return broken.length > 0 ? broken : diagnosticsOf(view.state, schema);
    },
    {
      delay: PAUSE_MS,
      needsRefresh: ({ transactions }) =>
        transactions.some(({ effects }) => effects.some(effect => effect.is(tellWrong))),
    },
  );
  return [told, lint];
}

/** The hub knows more, and says what to do: where both speak of one place, its word is shown. */
function diagnosticsOf(state: EditorState, schema: JsonSchema): Diagnostic[] {
  const fromHub = state.field(told);
  const own = judge([schema], JSON.parse(state.doc.toString()));
  const unsaid = own.filter(({ path }) => !fromHub.some(one => one.path === path || one.path.startsWith(`${path}.`)));
  return [...fromHub, ...unsaid].map(({ path, message, severity }) => ({ ...rangeAt(state, path), message, severity }));
}

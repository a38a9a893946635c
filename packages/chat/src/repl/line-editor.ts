/** What the person is typing: text, cursor and history. Pure: it gets keys and says what became of them. */
export interface Key {
  /** The sign itself, for keys that have one. */
  readonly sequence?: string | undefined;
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

/** `submit`: the person wants this text taken. `leave`: Ctrl-D on nothing. */
export type Edited = 'changed' | 'submit' | 'leave' | 'ignored';

export class LineEditor {
  text = '';
  cursor = 0;
  readonly #history: readonly string[];
  /** Counted from the end; 0 is what is typed now. */
  #back = 0;
  #typed = '';
  #pasting = false;

  constructor(history: readonly string[] = []) {
    this.#history = history;
  }

  replace(text: string, cursor: number = text.length): void {
    this.text = text;
    this.cursor = cursor;
  }

  insert(words: string): void {
    this.text = this.text.slice(0, this.cursor) + words + this.text.slice(this.cursor);
    this.cursor += words.length;
  }

  press(key: Key): Edited {
    const { name = '', ctrl, meta, sequence = '' } = key;
    if (name === 'paste-start' || name === 'paste-end') {
      this.#pasting = name === 'paste-start';
      return 'changed';
    }
    if (name === 'return' || name === 'enter') return this.#enter(name === 'enter' || meta === true);
    const edit = EDITS[`${ctrl ? 'ctrl-' : ''}${meta ? 'meta-' : ''}${name}`];
    if (edit) return edit(this) ?? 'changed';
    if (name === 'up' || name === 'down') return this.#recall(name === 'up' ? 1 : -1);
    if (name === 'tab' && this.#pasting) this.insert('  ');
    else if (!ctrl && !meta && sequence !== '' && !/\p{Cc}/u.test(sequence)) this.insert(sequence);
    else return 'ignored';
    return 'changed';
  }

  /** A pasted line break is part of the text; so is one behind a backslash, or with Alt. */
  #enter(wantsLine: boolean): Edited {
    const continued = this.text.slice(0, this.cursor).endsWith('\\');
    if (continued && !this.#pasting) this.erase(this.cursor - 1, this.cursor);
    if (!this.#pasting && !wantsLine && !continued) return 'submit';
    this.insert('\n');
    return 'changed';
  }

  erase(from: number, to: number): void {
    this.text = this.text.slice(0, from) + this.text.slice(to);
    this.cursor = from;
  }

  #recall(step: 1 | -1): Edited {
    const next = this.#back + step;
    if (next < 0 || next > this.#history.length) return 'ignored';
    if (this.#back === 0) this.#typed = this.text;
    this.#back = next;
    this.replace(next === 0 ? this.#typed : (this.#history.at(-next) as string));
    return 'changed';
  }
}

/** One sign back or on, halves of a pair kept together. */
function before({ text, cursor }: LineEditor): number {
  return cursor - ([...text.slice(0, cursor)].at(-1)?.length ?? 0);
}

function after({ text, cursor }: LineEditor): number {
  return cursor + ([...text.slice(cursor)][0]?.length ?? 0);
}

function wordBefore({ text, cursor }: LineEditor): number {
  return text.slice(0, cursor).search(/\S+\s*$/) < 0 ? 0 : text.slice(0, cursor).search(/\S+\s*$/);
}

function wordAfter({ text, cursor }: LineEditor): number {
  return cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0);
}

type Edit = (editor: LineEditor) => Edited | undefined;

const move =
  (to: (editor: LineEditor) => number): Edit =>
  editor => {
    editor.cursor = to(editor);
    return undefined;
  };

const backspace: Edit = editor => void editor.erase(before(editor), editor.cursor);
const remove: Edit = editor => void editor.erase(editor.cursor, after(editor));
const start = move(() => 0);
const end = move(({ text }) => text.length);

const EDITS: Readonly<Record<string, Edit>> = {
  left: move(before),
  right: move(after),
  'ctrl-b': move(before),
  'ctrl-f': move(after),
  home: start,
  'ctrl-a': start,
  end: end,
  'ctrl-e': end,
  'ctrl-left': move(wordBefore),
  'ctrl-right': move(wordAfter),
  'meta-b': move(wordBefore),
  'meta-f': move(wordAfter),
  backspace,
  'ctrl-h': backspace,
  delete: remove,
  'ctrl-d': editor => (editor.text === '' ? 'leave' : remove(editor)),
  'ctrl-u': editor => void editor.erase(0, editor.cursor),
  'ctrl-k': editor => void editor.replace(editor.text.slice(0, editor.cursor), editor.cursor),
  'ctrl-w': editor => void editor.erase(wordBefore(editor), editor.cursor),
};

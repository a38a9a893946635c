/**
 * Globs whose matching takes time that grows like the text, whatever the pattern: people write the patterns, strangers
 * choose the text. A regular expression with several `.*` would try every way to share the text among them.
 */
export interface Glob {
  test(text: string): boolean;
}

/** `*` stands for any text, `?` for one character (a UTF-16 code unit); everything else for itself. */
export function compileGlob(pattern: string): Glob {
  if (pattern.includes('?')) return new StepGlob(pattern, false);
  const pieces = pattern.split(/\*+/);
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return { test: text => text === pattern };
  return { test: text => fitsPieces(text, first, rest, last) };
}

/** As for paths: `?` and a single `*` stop at a slash or a backslash, `**` does not. */
export function compilePathGlob(pattern: string): Glob {
  return new StepGlob(pattern, true);
}

/** Each piece is taken where it first occurs: a later place would leave less text for those that follow. */
function fitsPieces(text: string, first: string, middle: readonly string[], last: string): boolean {
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of middle) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

const [STAR, QUESTION, SLASH, BACKSLASH] = [0x2a, 0x3f, 0x2f, 0x5c];

/** What a step of a pattern takes. A number from 0 on is that letter. */
const [ANY, ANY_IN_PART, MANY, MANY_IN_PART] = [-1, -2, -3, -4];

/** Walks through the text once and keeps every place of the pattern that it can have reached. */
class StepGlob implements Glob {
  readonly #steps: readonly number[];

  constructor(pattern: string, stopsAtSlash: boolean) {
    this.#steps = stepsOf(pattern, stopsAtSlash);
  }

  test(text: string): boolean {
    const steps = this.#steps;
    let now = new Int32Array(steps.length + 1);
    let next = new Int32Array(steps.length + 1);
    let count = this.#add(now, 0, 0);
    for (let at = 0; at < text.length && count > 0; at++) {
      const code = text.charCodeAt(at);
      let added = 0;
      for (let index = 0; index < count; index++) {
        const place = now[index] as number;
        const step = steps[place];
        if (step !== undefined && takes(step, code))
          added = this.#add(next, added, step === MANY || step === MANY_IN_PART ? place : place + 1);
      }
      [now, next, count] = [next, now, added];
    }
    return count > 0 && now[count - 1] === steps.length;
  }

  /** Adds a place, and those behind each `*` there, which may stand for nothing. Places come in ascending order. */
  #add(places: Int32Array, count: number, place: number): number {
    if (count > 0 && place <= (places[count - 1] as number)) return count;
    let [end, at] = [count, place];
    for (;;) {
      places[end++] = at;
      const step = this.#steps[at++];
      if (step !== MANY && step !== MANY_IN_PART) return end;
    }
  }
}

function takes(step: number, code: number): boolean {
  if (step >= 0) return step === code;
  return step === ANY || step === MANY || (code !== SLASH && code !== BACKSLASH);
}

function stepsOf(pattern: string, stopsAtSlash: boolean): number[] {
  const steps: number[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const code = pattern.charCodeAt(at);
    if (code === QUESTION) steps.push(stopsAtSlash ? ANY_IN_PART : ANY);
    else if (code !== STAR) steps.push(code);
    else {
      const first = at;
      while (pattern.charCodeAt(at + 1) === STAR) at++;
      steps.push(stopsAtSlash && at === first ? MANY_IN_PART : MANY);
    }
  }
  return steps;
}

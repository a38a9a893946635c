/**
 * Pictures, sounds and files that a server wrote into a text as base64. A model pays for each letter of them and sees
 * nothing: they are taken out, and a short reference stands in their place. Pure.
 */

/** Takes the media and returns the words that stand for it. */
export type TakeMedia = (media: InlineMedia) => string;

export interface InlineMedia {
  readonly mimeType: string;
  readonly data: string;
}

/** Shorter ones, such as an icon, cost less than the reference would. */
const MIN_CHARS = 1000;

/** How the base64 of each kind begins. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  iVBORw0KGgo: 'image/png',
  '/9j/': 'image/jpeg',
  R0lGOD: 'image/gif',
  UklGR: 'image/webp',
  JVBERi0: 'application/pdf',
  SUQz: 'audio/mpeg',
};

const MARKS = [';base64,', ...Object.keys(BEGINNINGS)];

const INLINE = new RegExp(
  `data:([\\w.+-]+/[\\w.+-]+)(?:;[\\w.=-]+)*;base64,([\\w+/=-]{${MIN_CHARS},})` +
    `|(?<![\\w+/-])((?:${Object.keys(BEGINNINGS).join('|')})[\\w+/=-]{${MIN_CHARS},})`,
  'g',
);

/** A quick look, so that ordinary texts cost next to nothing. */
export function mayHoldMedia(text: string): boolean {
  return text.length >= MIN_CHARS && MARKS.some(mark => text.includes(mark));
}

export function withoutInlineMedia(text: string, take: TakeMedia): string {
  if (!mayHoldMedia(text)) return text;
  return text.replace(INLINE, (_, type: string | undefined, data: string | undefined, bare: string | undefined) =>
    take(
      bare === undefined ? { mimeType: type as string, data: data as string } : { mimeType: kindOf(bare), data: bare },
    ),
  );
}

/** RIFF holds pictures and sounds alike: its ninth byte on says which. */
function kindOf(base64: string): string {
  const beginning = Object.keys(BEGINNINGS).find(mark => base64.startsWith(mark)) as string;
  if (beginning !== 'UklGR') return BEGINNINGS[beginning] as string;
  return atob(base64.slice(0, 16)).slice(8, 12) === 'WAVE' ? 'audio/wav' : 'image/webp';
}

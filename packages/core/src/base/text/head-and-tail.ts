/**
 * Both ends of a text that is too long to show. A reader who decides about it must see how it ends: a harmless beginning
 * says nothing about the rest.
 */
export function headAndTail(text: string, maxChars: number, about = ''): string {
  if (text.length <= maxChars) return text;
  const tail = Math.floor(maxChars / 3);
  const head = maxChars - tail;
  const left = text.length - maxChars;
  const note = `… (${left} of ${text.length} characters left out${about}) …`;
  // A cut must not leave half of a character behind.
  return `${text.slice(0, head).toWellFormed()}${note}${text.slice(-tail).toWellFormed()}`;
}

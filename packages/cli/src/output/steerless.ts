/**
 * Words as a terminal may show them. Much of what we print is a stranger's: a server's error, its tools, what it calls
 * itself. None of it may move the cursor, change the window or hide a line.
 */
const STEERING = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

export function steerless(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(STEERING, '');
}

/** The same for a JSON document, which stays the same document. */
export function steerlessJson(text: string): string {
  return text.replace(STEERING, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

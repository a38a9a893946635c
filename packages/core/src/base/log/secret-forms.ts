/** The forms in which a secret leaves a process: in JSON, in addresses and forms, in base64. Pure. */

/** The value itself and each way it is written elsewhere. */
export function formsOf(secret: string): string[] {
  const forms = [secret, JSON.stringify(secret).slice(1, -1), ...encoded(secret), ...inBase64(secret)];
  return forms.filter(({ length }) => length >= SHORTEST_FORM);
}

/** Shorter pieces would blank out ordinary words. */
const SHORTEST_FORM = 6;

/** Percent-encoded, as each part of an address has it, and as a form sends it. */
function encoded(secret: string): string[] {
  const text = secret.toWellFormed();
  const url = new URL('http://h/');
  url.pathname = `/${text}`;
  url.search = `?${text}`;
  url.hash = `#${text}`;
  url.password = text;
  const all = [
    encodeURIComponent(text),
    encodeURI(text),
    new URLSearchParams({ k: text }).toString().slice(2),
    ...[url.pathname, url.search, url.hash].map(part => part.slice(1)),
    url.password,
  ];
  // Hexadecimal digits may be small letters, too.
  return [...all, ...all.map(one => one.replace(/%[0-9A-F]{2}/g, digits => digits.toLowerCase()))];
}

/** Bytes of base64 stand for three others: what comes before the secret decides how its first ones look. */
function inBase64(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  return [0, 1, 2].flatMap(before => {
    const text = base64(new Uint8Array([...new Uint8Array(before), ...bytes]));
    // Letters that also hold bits of what stands before and after are left out.
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const stable = text.slice(first, last);
    return stable.length < SHORTEST_BASE64 ? [] : [stable, stable.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Fewer letters occur by chance. */
const SHORTEST_BASE64 = 7;

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/**
 * Short secrets where they stand as a value: after `=`, in quotes, or as the value of a header. A word or a number of a
 * sentence stays, and so does a number in JSON.
 */
export function shortPattern(secrets: readonly string[]): RegExp | undefined {
  if (secrets.length === 0) return undefined;
  const any = secrets.flatMap(secret => [secret, encodeURIComponent(secret.toWellFormed())]).map(RegExp.escape);
  return new RegExp(`(=|"|'|(?<!")(?<=[\\w-]): )(?:${any.join('|')})(?![\\w%])`, 'g');
}

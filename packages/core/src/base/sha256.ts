/**
 * SHA-256 of a text, as hex. Our own, because loading node:crypto takes a fifth of the time that Node itself takes to start,
 * for names of a few bytes; and because it has to work in a browser, at once. Not for passwords or signatures.
 */
export function sha256(text: string): string {
  const bytes = padded(new TextEncoder().encode(text));
  const message = new DataView(bytes.buffer);
  const state = new Int32Array(INITIAL);
  for (let block = 0; block < bytes.length; block += 64) {
    for (let at = 0; at < 16; at++) WORDS[at] = message.getInt32(block + at * 4);
    mix(state);
  }
  let hex = '';
  for (let at = 0; at < 8; at++) hex += ((state[at] as number) >>> 0).toString(16).padStart(8, '0');
  return hex;
}

/** The message, a one bit, zeros, and the length in bits: a whole number of blocks of 64 bytes. */
function padded(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  let bits = message.length * 8;
  for (let at = bytes.length - 1; bits > 0; at--, bits = Math.floor(bits / 256)) bytes[at] = bits % 256;
  return bytes;
}

/**
 * Words are turned in place, and read one by one: in its first few thousand turns a program that has just started still runs
 * each call slowly, and a pattern of variables is a call for each.
 */
function mix(state: Int32Array): void {
  for (let at = 16; at < 64; at++) {
    const early = WORDS[at - 15] as number;
    const late = WORDS[at - 2] as number;
    const s0 = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const s1 = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    WORDS[at] = (WORDS[at - 16] as number) + s0 + (WORDS[at - 7] as number) + s1;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let at = 0; at < 64; at++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const choice = (e & f) ^ (~e & g);
    const first = (h + s1 + choice + (ROUND[at] as number) + (WORDS[at] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + s0 + majority) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}

/** Written anew for every block, and so one for all of them. */
const WORDS = new Int32Array(64);

/** The standard's constants: the first 32 bits behind the point of the square and cube roots of the first primes. */
const PRIMES = firstPrimes(64);
const INITIAL = Int32Array.from(PRIMES.slice(0, 8), prime => fraction(Math.sqrt(prime)));
const ROUND = Int32Array.from(PRIMES, prime => fraction(Math.cbrt(prime)));

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) >>> 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++) {
    if (primes.every(prime => number % prime !== 0)) primes.push(number);
  }
  return primes;
}

/** A picture and a sound, small enough to be sent with anything. */

/** One red pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

const SAMPLES_PER_SECOND = 8000;
const SECONDS = 0.1;
const HERTZ = 440;

/** A tenth of a second of the note A, as a WAV file in base64. */
export function wav(): string {
  const count = SAMPLES_PER_SECOND * SECONDS;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + count, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  // Uncompressed, one channel, one byte per sample.
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  header.writeUInt32LE(SAMPLES_PER_SECOND, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(count, 40);
  const samples = Buffer.from(
    Array.from({ length: count }, (_, at) => 128 + 100 * Math.sin((2 * Math.PI * HERTZ * at) / SAMPLES_PER_SECOND)),
  );
  return Buffer.concat([header, samples]).toString('base64');
}

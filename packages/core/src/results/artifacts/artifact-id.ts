/** Names of stored results: nobody guesses one, and a model can repeat it without a slip. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 20;

export function newArtifactId(): string {
  const random = crypto.getRandomValues(new Uint8Array(LENGTH));
  return `res_${Array.from(random, byte => ALPHABET[byte % ALPHABET.length]).join('')}`;
}

const SHAPE = new RegExp(`^res_[${ALPHABET}]{${LENGTH}}$`);

export function isArtifactId(text: string): boolean {
  return SHAPE.test(text);
}

/** What stands in a file of another program beside our own entries may be secret: what its name says so of is never shown. */
import { namesSecret, type Redactor } from '../../base/log/redact.ts';
import { formatName, loadFormat } from '../formats/format.ts';

export async function learnSecrets(redactor: Redactor, file: string, text: string): Promise<void> {
  if (text.trim() === '') return;
  const read = (await loadFormat(formatName(file))).read(file, text);
  if (read.ok) learn(redactor, read.document.value, false);
}

function learn(redactor: Redactor, value: unknown, secret: boolean): void {
  if (typeof value === 'string') {
    if (secret && !isReference(value)) redactor.learn(value.replace(/^(bearer|basic|token)\s+/i, ''));
  } else if (Array.isArray(value)) {
    // `--token abc`
    value.forEach((item, index) => {
      const before = index > 0 ? value[index - 1] : undefined;
      const follows = typeof before === 'string' && before.startsWith('-') && namesSecret(before);
      learn(redactor, item, secret || follows);
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) learn(redactor, item, secret || namesSecret(key));
  }
}

/** A variable, or the name of one: people need to see which. */
function isReference(text: string): boolean {
  return /\$|\{env:/.test(text) || /^[A-Z][A-Z0-9_]*$/.test(text);
}

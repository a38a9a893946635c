/** A file that the person names on the line and that holds one JSON document. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { JunctorError } from '@junctor/core/light';

/** `expected` says in a few words what such a file looks like. */
export async function readJsonFile(cwd: string, name: string, expected: string): Promise<unknown> {
  const path = resolve(cwd, name);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new JunctorError('usage', `Cannot read ${path}.`, {
      why: (error as Error).message,
      hint: `name a file that holds ${expected}`,
      cause: error,
    });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unfitFile(name, (error as Error).message, expected);
  }
}

export function unfitFile(name: string, why: string, expected: string): JunctorError {
  return new JunctorError('usage', `${name} cannot be used.`, { why, hint: `it should look like ${expected}` });
}

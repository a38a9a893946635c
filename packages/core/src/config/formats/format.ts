/** Which notation a file is in, and the code for it: loaded only when a file needs it. */
import { extname } from 'node:path';
import type { FormatName, TextFormat } from './document.ts';

const BY_EXTENSION: Readonly<Record<string, FormatName>> = {
  '.json': 'json',
  '.jsonc': 'json',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.toml': 'toml',
};

/** By its ending; a file without a known one is taken for JSON. */
export function formatName(file: string): FormatName {
  return BY_EXTENSION[extname(file).toLowerCase()] ?? 'json';
}

export async function loadFormat(name: FormatName): Promise<TextFormat> {
  if (name === 'yaml') return (await import('./yaml/yaml.ts')).yamlFormat;
  if (name === 'toml') return (await import('./toml/toml.ts')).tomlFormat;
  return (await import('./json/json.ts')).jsonFormat;
}

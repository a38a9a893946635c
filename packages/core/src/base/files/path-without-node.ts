/**
 * As much of `node:path` as the pure entry needs, for browsers: it is put in its place when that entry is built. Paths are
 * texts there, and go with `/`.
 */
export const sep = '/';

export function join(...parts: string[]): string {
  const path = parts.filter(part => part !== '').join('/');
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else kept.push(part);
  }
  return (path.startsWith('/') ? '/' : '') + kept.join('/') || '.';
}

export function resolve(...parts: string[]): string {
  const from = parts.findLastIndex(part => part.startsWith('/'));
  return join(...parts.slice(Math.max(from, 0)));
}

export function dirname(path: string): string {
  const end = path.lastIndexOf('/');
  return end > 0 ? path.slice(0, end) : end === 0 ? '/' : '.';
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function extname(path: string): string {
  const name = basename(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot) : '';
}

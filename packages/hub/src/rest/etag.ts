/** Two editors do not overwrite each other: a tag says which content somebody read, and a change may name it. */
import { hash } from 'node:crypto';
import { JunctorError } from '@junctor/core';
import { Refusal } from './failure.ts';

/** Equal for equal content. */
export function tagOf(content: unknown): string {
  return `"${hash('sha256', JSON.stringify(content), 'hex').slice(0, 20)}"`;
}

/** Whether the reader has this content already. */
export function isKnown(headers: Headers, tag: string): boolean {
  return names(headers.get('if-none-match'), tag);
}

/** Refuses a change of something that is no longer what the editor read. Without a header, or with `*`, any is. */
export function checkTag(headers: Headers, tag: string, { exists }: { readonly exists: boolean }): void {
  const wanted = headers.get('if-match');
  const absent = headers.get('if-none-match') === '*' && exists;
  if (!absent && (wanted === null || names(wanted, tag))) return;
  throw new Refusal(
    412,
    new JunctorError('edit_outdated', 'Somebody else changed this since it was read; nothing was written.', {
      why: absent ? 'something is there already' : `it is ${tag} now`,
      hint: 'read it again, make the change there, and send it with the new ETag',
    }),
  );
}

function names(header: string | null, tag: string): boolean {
  const listed = (header ?? '').split(',').map(one => one.trim().replace(/^W\//, ''));
  return listed.includes('*') || listed.includes(tag);
}

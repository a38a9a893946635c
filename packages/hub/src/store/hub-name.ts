import { hash } from 'node:crypto';
import { hostname } from 'node:os';

/** The same in every life of a hub, another for each of several on one database. */
export function hubName(dataDirectory: string): string {
  return hash('sha256', `${hostname()} ${dataDirectory}`, 'hex').slice(0, 12);
}

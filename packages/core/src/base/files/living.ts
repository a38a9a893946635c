/** A process that something is kept for, and whether it still lives. */
import { uptime } from 'node:os';
import { isAlive } from './file-lock.ts';

export interface Living {
  readonly pid: number;
  /** A moment at which it lived. */
  readonly since: string;
}

export function thisProcess(): Living {
  return { pid: process.pid, since: new Date().toISOString() };
}

/** After the machine was started anew its ids belong to others. */
export function stillLives({ pid, since }: Living): boolean {
  return Date.parse(since) > Date.now() - uptime() * 1000 && isAlive(pid);
}

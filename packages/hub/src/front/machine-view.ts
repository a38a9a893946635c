import { readlinkSync, statSync } from 'node:fs';

/**
 * Whose eyes a process sees the machine with: its user and its file system. Two that see it alike find the same files under
 * the same names; a hub in a container and a command beside it do not.
 */
export function machineView(): string {
  const { dev, ino } = statSync('/');
  return [process.getuid?.() ?? '', dev, ino, mounts()].join(' ');
}

function mounts(): string {
  try {
    return readlinkSync('/proc/self/ns/mnt');
  } catch {
    // Not Linux: there a container is another machine, and our pipe does not reach it.
    return '';
  }
}

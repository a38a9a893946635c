/** Differences from a lockfile as people and programs read them. */
import { describeChanges, type LockChange, type LockInspection } from '@junctor/core';
import { visibleText } from '@junctor/core/light';

/** `+` new, `-` gone, `~` changed; below each what it says, old and new. */
export function diffText(changes: readonly LockChange[]): string {
  return changes.flatMap(describe).join('\n');
}

function describe(change: LockChange): string[] {
  const { server } = change;
  switch (change.kind) {
    case 'server-added':
      return [`+ ${server}: a new server with ${counted(change.tools.length, 'tool')}`, ...toolNames(change.tools)];
    case 'server-removed':
      return [`- ${server}: no longer in the config`];
    case 'server-changed':
      return [`~ ${server}: it is defined otherwise, so none of its tools is offered`, ...details(change)];
    case 'tool-added':
      return [`+ ${name(change)}: new`, ...words(change.definition)];
    case 'tool-removed':
      return [`- ${name(change)}: gone`];
    case 'tool-changed':
      return [`~ ${name(change)}: changed`, ...details(change)];
  }
}

function name({ server, tool }: { server: string; tool: string }): string {
  return `${server}/${visibleText(tool)}`;
}

function details({ changes }: Extract<LockChange, { changes: unknown }>): string[] {
  return describeChanges(changes).map(line => `    ${line}`);
}

function toolNames(tools: readonly string[]): string[] {
  return tools.length === 0 ? [] : [`    ${tools.map(visibleText).join(', ')}`];
}

const MAX_WORDS = 2000;

/** What a tool says of itself, part by part. Its name stands above already. */
function words({ name: _name, ...parts }: Extract<LockChange, { definition: unknown }>['definition']): string[] {
  return Object.entries(parts).map(([key, value]) => {
    const text = visibleText(value);
    return `    ${key}: ${text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text}`;
  });
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `2 servers, 14 tools`. */
export function sizeOf({ now }: Pick<LockInspection, 'now'>): string {
  const tools = [...now.servers.values()].reduce((sum, server) => sum + server.tools.size, 0);
  return `${counted(now.servers.size, 'server')}, ${counted(tools, 'tool')}`;
}

/** The keys that every lock command prints with --json. */
export function inspectionDocument({ file, changes, failed }: LockInspection): object {
  return {
    file,
    changes,
    failed: failed.map(({ server, error }) => ({ server, code: error.code, error: error.message })),
  };
}

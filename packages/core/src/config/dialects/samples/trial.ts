/** One of the five documents' dialects at work, for its tests: its samples read, its edits made. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { formatName, loadFormat } from '../../formats/format.ts';
import { jsonFormat } from '../../formats/json/json.ts';
import { FileFrame } from '../../schema/schema.ts';
import { ServerDef } from '../../schema/server-schema.ts';
import { cocode } from '../cocode.ts';
import { codeAgent } from '../code-agent.ts';
import { codelia } from '../codelia.ts';
import type { Dialect, DialectReading, ServerChange } from '../dialect.ts';
import { kandev } from '../kandev.ts';
import { toolloop } from '../toolloop.ts';

export interface Trial {
  read(value: unknown): DialectReading;
  /** A file of the folder that is named like the dialect. */
  sample(name: string): Promise<{ readonly file: string; readonly value: unknown }>;
  /** A JSON text with the changes made in it; each of them can be written. */
  write(text: string, changes: readonly ServerChange[]): string;
  /** What a JSON text defines. */
  definitions(text: string): Record<string, unknown>;
}

export function trialOf(dialect: Dialect, file: string): Trial {
  const read = (value: unknown): DialectReading => dialect.read(value, { file, home: '/home/me' });
  return {
    read,
    async sample(name) {
      const path = join(import.meta.dirname, dialect.name, name);
      const format = await loadFormat(formatName(path));
      const result = format.read(path, await readFile(path, 'utf8'));
      if (!result.ok) throw new Error(JSON.stringify(result.problems));
      return { file: path, value: result.document.value };
    },
    write(text, changes) {
      if (!dialect.write) throw new Error(`${dialect.name} is only read`);
      const { edits, leftOut } = dialect.write(valueOf(file, text), changes);
      expect(leftOut).toEqual([]);
      return jsonFormat.edit(text, edits);
    },
    definitions: text => definitionsOf(read(valueOf(file, text))),
  };
}

export function recognisedBy(file: string, value: unknown): string[] {
  return [codelia, toolloop, codeAgent, kandev, cocode].filter(one => one.recognise(file, value)).map(one => one.name);
}

/** A reading without problems, as the schema takes it. */
export function judged(reading: DialectReading): object {
  return { frame: FileFrame.parse(reading.frame), servers: definitionsOf(reading) };
}

function definitionsOf({ servers, problems }: DialectReading): Record<string, unknown> {
  expect(problems).toEqual([]);
  return Object.fromEntries(servers.map(one => [one.id, ServerDef.parse(one.definition)]));
}

function valueOf(file: string, text: string): unknown {
  const result = jsonFormat.read(file, text);
  if (!result.ok) throw new Error(text);
  return result.document.value;
}

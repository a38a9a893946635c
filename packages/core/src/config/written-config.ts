/**
 * A config as a program writes it down: types that help while typing, made from the schema. They promise nothing about the
 * value, which is checked when it is read, like that of a file.
 */
import type * as z from 'zod/mini';
import type { FileFrame } from './schema.ts';
import type { RemoteServer, StdioServer } from './server-schema.ts';

/** A program that speaks MCP on its standard input and output. */
export interface StdioServerInput extends AsConst<z.infer<typeof StdioServer>> {}

/** A server at an address; with `command`, one whose program Junctor starts. */
export interface RemoteServerInput extends AsConst<z.infer<typeof RemoteServer>> {}

/** How one server is reached, and what is to be known of it: `{ transport: 'stdio', command: 'npx', args: […] }`. */
export type McpServerInput = StdioServerInput | RemoteServerInput;

/** An entry that only switches a server of a lower layer on or off. */
export interface ServerSwitch {
  /** Absent: with it, the entry would be a definition. */
  readonly transport?: never;
  /** Whether it is used. */
  readonly enabled: boolean;
}

/** A config in Junctor's own notation. docs/config.md says what each section is for. */
export interface McpConfigInput extends AsConst<Omit<z.infer<typeof FileFrame>, 'version' | 'servers'>> {
  /** Of the notation. */
  readonly version: 1;
  /** By id, which agents see as a part of the names of tools. */
  readonly servers?: Readonly<Record<string, McpServerInput | ServerSwitch>> | undefined;
}

/** A config in the notation of another program, such as `{ mcpServers: { … } }`. It is recognised by its shape. */
export type ForeignConfig =
  | { readonly version?: string | undefined; readonly [key: string]: unknown }
  // Codelia's has our number, and its servers one level down.
  | { readonly version: 1; readonly mcp: object; readonly servers?: never };

/** Lists and tables that nobody writes to: what is `as const` fits too. */
type AsConst<Value> = Value extends readonly (infer Item)[]
  ? readonly AsConst<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: AsConst<Value[Key]> }
    : Value;

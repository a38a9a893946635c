/**
 * A config as a program writes it down: types that help while typing, made from the schema. They promise nothing about the
 * value, which is checked when it is read, like that of a file.
 */
import type { McpConfig } from './schema.ts';
import type { RemoteServerInput, StdioServerInput } from './written/servers.ts';
import type { SettingsInput } from './written/settings.ts';

export type { RemoteServerInput, StdioServerInput } from './written/servers.ts';

/** How one server is reached, and what is to be known of it: `{ transport: 'stdio', command: 'npx', args: […] }`. */
export type McpServerInput = StdioServerInput | RemoteServerInput;

type ServerKey = keyof StdioServerInput | keyof RemoteServerInput;
/** With any other key an entry is a definition. */
type NoDefinition = { readonly [Key in Exclude<ServerKey, 'enabled'>]?: never };

/** An entry that only switches a server of a lower layer on or off. */
export interface ServerSwitch extends NoDefinition {
  /** Whether it is used. */
  readonly enabled: boolean;
}

/** A config in Junctor's own notation. docs/config.md says what each section is for. */
export interface McpConfigInput extends SettingsInput {
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

/** What `parseMcpConfig` returns. Without `version`, so that an editor never takes it for what a person writes. */
interface ParsedConfig extends McpConfig {
  readonly version?: never;
}

/** A config that a program passes in. */
export type ConfigValue = McpConfigInput | ForeignConfig | ParsedConfig;

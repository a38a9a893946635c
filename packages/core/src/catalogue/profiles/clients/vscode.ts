import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Shows the tools of a server before it has started. */
export const vscode: ProfileDef = {
  title: 'VS Code',
  provider: 'default',
  names: { characters: 'A-Za-z0-9_-', max_length: 64, prefix: 'mcp_{key}_', forbidden: [] },
  max_tools: 128,
  list_changed: true,
  transports: ['stdio', 'http', 'sse'],
  media: ['image'],
  sources: ['names: microsoft/vscode#243602', 'tools: code.visualstudio.com/docs, microsoft/vscode#255585'],
};

import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Several providers behind one API. */
export const copilot: ProfileDef = {
  title: 'Copilot CLI',
  provider: 'default',
  // Longer names are cut, and may then be equal.
  names: { characters: 'A-Za-z0-9_-', max_length: 64, prefix: '{key}-', forbidden: [] },
  max_tools: 128,
  transports: ['stdio', 'http', 'sse'],
  sources: ['tried with 1.0.102', 'more than 128 tools: microsoft/vscode-copilot-release#9375'],
};

/** Every picture of the page that the documents show, and the place it is taken at. */
export interface Picture {
  readonly name: string;
  readonly place: string;
  readonly heading: string;
  readonly theme?: 'light' | 'dark';
  /** Text that stands on the page once what it shows has come. */
  readonly shows: string;
  /** What is drawn later than the rest. */
  readonly draws?: string;
}

export const PICTURES: readonly Picture[] = [
  { name: 'overview', place: 'overview', heading: 'Overview', shows: 'What needs you' },
  { name: 'overview-dark', place: 'overview', heading: 'Overview', shows: 'What needs you', theme: 'dark' },
  { name: 'servers', place: 'servers', heading: 'Servers', shows: 'files' },
  { name: 'server', place: 'servers/files', heading: 'files', shows: 'files' },
  { name: 'tools', place: 'tools', heading: 'Tools', shows: 'demo' },
  { name: 'tool', place: 'tools/files_read_text_file', heading: 'read_text_file', shows: 'Run' },
  { name: 'agents', place: 'agents', heading: 'Agents', shows: 'claude-code' },
  { name: 'agent', place: 'agents/claude-code', heading: 'claude-code', shows: 'Servers' },
  { name: 'executors', place: 'executors', heading: 'Executors', shows: 'docker' },
  { name: 'approvals', place: 'approvals', heading: 'Approvals', shows: 'write_file' },
  { name: 'activity', place: 'activity', heading: 'Activity', shows: 'read_text_file', draws: 'canvas' },
  { name: 'settings', place: 'settings/hub', heading: 'Settings', shows: 'Health' },
];

/** Larger pictures make a clone heavy, and say no more. */
export const MOST_BYTES = 150_000;

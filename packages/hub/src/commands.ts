/** Junctor's commands as people type them for one hub. Whoever starts the hub knows how they are typed. */

export interface HubCommands {
  /** The words that start Junctor. */
  readonly program: string;
  /** The options that a command needs to mean this hub, each after a space. */
  optionsFor(words: string, rest: string): string;
  /** `hub token --agent codex` as a whole line. */
  line(words: string): string;
  /** A sentence with its commands, each as `junctor hub page`. */
  inText(text: string): string;
}

export const PLAIN_COMMANDS: HubCommands = {
  program: 'junctor',
  optionsFor: () => '',
  line: words => `junctor ${words}`,
  inText: text => text,
};

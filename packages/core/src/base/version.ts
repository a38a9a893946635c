/** The version of every package of this workspace; a test compares it with package.json. */
export const VERSION = '0.1.0';

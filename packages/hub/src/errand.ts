/** What a command needs to have a hub run it: small, because it is loaded in place of all that the command needs itself. */
export { machineView } from './front/machine-view.ts';
export type { Errand, ErrandDone, PipeAnswer, PipeErrand } from './front/pipe-words.ts';
export { findHubBeside } from './store/hub-file.ts';
export { type HubFile, readHubFile } from './store/read-hub-file.ts';

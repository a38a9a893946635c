export { type CliOutcome, junctor } from './harness/cli.ts';
export { type Home, makeHome } from './harness/home.ts';
export { HUB_TOKEN, type RunningHub, startHub } from './harness/hub.ts';
export { type FoundProcess, isRunning, processesMarked } from './harness/processes.ts';
export { JUNCTOR, npmServer, ROOT } from './harness/root.ts';
export { everything, filesystem, misbehaving, testServer, trusted } from './harness/servers.ts';
export { promise } from './promise.ts';
export { anyServer, anyServerId, damagedConfigs } from './random-configs.ts';

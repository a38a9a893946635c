export { fasterThanText, type GrowthRow, growsFasterThanInput, times } from './growth.ts';
export { type CliOutcome, junctor } from './harness/cli.ts';
export { type Home, makeHome } from './harness/home.ts';
export { HUB_TOKEN, type RunningHub, startHub, startHubIn } from './harness/hub.ts';
export { type FoundProcess, isRunning, processesMarked } from './harness/processes.ts';
export { isFree, quietPort } from './harness/quiet-port.ts';
export { JUNCTOR, npmServer, ROOT } from './harness/root.ts';
export {
  behindUrl,
  everything,
  filesystem,
  memory,
  misbehaving,
  startedEverything,
  startedServer,
  testServer,
  trusted,
} from './harness/servers.ts';
export { endlessStream, floodedStream } from './misbehaving/http/endless-stream.ts';
export { badGateway, loginPage } from './misbehaving/http/html-page.ts';
export { locked, lockedBehindSignIn } from './misbehaving/http/locked.ts';
export { inCircles, redirectTo, wantsSlash } from './misbehaving/http/redirects.ts';
export { type MisbehavingHttp, serveMisbehaving } from './misbehaving/http/serve.ts';
export { skewedClock } from './misbehaving/http/skewed-clock.ts';
export { promise } from './promise.ts';

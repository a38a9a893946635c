/** How Chromium is started here: in a container, without a screen, and without talking to its maker. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  // On a busy machine what draws looks hung, would be ended, and a page without it waits for its next frame for ever.
  '--disable-gpu-watchdog',
  // Where a container gives it little shared memory, a page would crash.
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How Chromium is started here: in a container, without a screen, and without talking to its maker. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  // No page here needs it, and it would share a process with what draws.
  '--disable-software-rasterizer',
  // Where a container gives it little shared memory, a page would crash.
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Said with every stream: nginx, and what follows it, would keep pieces back until they are many. */
export const UNBUFFERED = { 'x-accel-buffering': 'no' } as const;

export const EVENT_STREAM = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  ...UNBUFFERED,
} as const;

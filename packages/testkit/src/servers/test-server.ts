/**
 * The test server as people start it: on stdio, or on a port of this machine over HTTP, SSE or WebSocket. It is made
 * without an SDK, so that it can also do what an SDK would not.
 */
export type { Era, TestServerOptions } from './options.ts';
export { serveHttp } from './transports/http.ts';
export type { HttpTestServer } from './transports/port.ts';
export { serveSse } from './transports/sse.ts';
export { serveStdio } from './transports/stdio.ts';
export { serveWs } from './transports/ws.ts';

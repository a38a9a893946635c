/**
 * The test server as people start it: on stdio, or on a port of this machine over HTTP, SSE or WebSocket. It is made
 * without an SDK, so that it can also do what an SDK would not.
 */
export type { ServedOffer } from './offer/served-offer.ts';
export type { Era, TestServerOptions } from './options.ts';
export { Unanswered } from './protocol/request-context.ts';
export { CODE, RpcError } from './rpc.ts';
export type { TestTool } from './tools/tool.ts';
export { serveHttp } from './transports/http.ts';
export type { HttpTestServer } from './transports/port.ts';
export { serveSse } from './transports/sse.ts';
export { serveStdio } from './transports/stdio.ts';
export { serveWs } from './transports/ws.ts';

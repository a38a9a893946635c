export { Browser, type Visit, type VisitOptions } from './browser.ts';
export { type BrowserProgram, makeBrowserProgram } from './browser-program.ts';
export type { AuthorizationRequest, RequestCounts, TokenRequest } from './journal.ts';
export type { KnownClients } from './known-clients.ts';
export { ADMIN_SCOPE, type AuthorityBehaviour, type AuthorityOptions, READ_SCOPE } from './options.ts';
export { type Authority, startAuthority } from './start-authority.ts';

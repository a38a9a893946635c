import type { ResolvedServer, SignInSettings } from '../../resolve/roster.ts';
import { hasOwnAuthorization } from './header-credentials.ts';
import type { GuardedServer } from './oauth/authority.ts';

/** How a server is shown who we are. */
export type CredentialKind = 'none' | 'header' | 'provider' | 'oauth';

/** A header that a person wrote is never overridden; a provider that is named is asked before anybody signs in. */
export function credentialKind({ endpoint }: ResolvedServer): CredentialKind {
  if (endpoint.transport === 'stdio') return 'none';
  if (hasOwnAuthorization(endpoint.headers)) return 'header';
  if (endpoint.signIn.provider !== undefined) return 'provider';
  return endpoint.signIn.oauth === false ? 'none' : 'oauth';
}

/** A server as those see it who sign in to it. */
export function guarded(id: string, { url, signIn }: { url: string; signIn: SignInSettings }): GuardedServer {
  const { oauth, ofProject } = signIn;
  return { id, url: url.replace(/^ws/i, 'http'), oauth: oauth || {}, ...(ofProject ? { ofProject } : {}) };
}

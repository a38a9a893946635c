/** Makes what one server is shown: the header of its config, what an auth provider says, or a sign-in. */
import { JunctorError } from '../../base/error.ts';
import type { RemoteEndpoint, ResolvedServer } from '../../resolve/roster.ts';
import { credentialKind, guarded } from './credential-kind.ts';
import type { Credentials } from './credentials.ts';
import { HeaderCredentials } from './header-credentials.ts';
import { OAuthCredentials } from './oauth/oauth-credentials.ts';
import { ProviderCredentials } from './provider-credentials.ts';
import { entryName } from './tokens/token-entry.ts';
import type { WalletOptions } from './tokens/wallet.ts';

/** Undefined: it is shown nothing. The signal ends a sign-in that is under way. */
export function makeCredentials(
  server: ResolvedServer,
  options: WalletOptions,
  signal: AbortSignal,
): Credentials | undefined {
  const { id, endpoint } = server;
  const kind = credentialKind(server);
  if (endpoint.transport === 'stdio' || kind === 'none') return undefined;
  if (kind === 'header') return new HeaderCredentials(id);
  if (kind === 'provider') return fromProvider(id, endpoint, options);
  const { shelf, interaction, clientMetadataUrl, log } = options;
  return new OAuthCredentials({
    server: guarded(id, endpoint),
    name: entryName(id, endpoint.signIn.account),
    shelf,
    interaction,
    clientMetadataUrl,
    log,
    onMoreScope: error => options.onMoreScope(id, error),
    signal,
  });
}

function fromProvider(server: string, endpoint: RemoteEndpoint, { providers, redactor }: WalletOptions): Credentials {
  const id = endpoint.signIn.provider as string;
  const provider = Object.hasOwn(providers, id) ? providers[id] : undefined;
  const learn = (secret: string): void => redactor.learn(secret);
  if (provider) return new ProviderCredentials({ server, url: endpoint.url, id, provider, learn });
  const known = Object.keys(providers);
  throw new JunctorError('server_unusable', `Server '${server}' wants auth provider '${id}', and there is none.`, {
    server,
    why: known.length > 0 ? `passed in were: ${known.join(', ')}` : 'no auth provider was passed in',
    hint: `pass it to createHost in authProvidersById, or remove auth_provider of server '${server}'`,
  });
}

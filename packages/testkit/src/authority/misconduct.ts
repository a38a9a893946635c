/** What an authority leaves out or does wrong on demand, put between the provider and whoever asks it. */
import type { Context, Provider } from 'oidc-provider';
import type { AuthorityBehaviour, CompleteOptions } from './options.ts';

const DOCUMENTS: Readonly<Record<string, 'oauth' | 'openid'>> = {
  '/.well-known/oauth-authorization-server': 'oauth',
  '/.well-known/openid-configuration': 'openid',
};

export function misconduct(provider: Provider, options: CompleteOptions, behaviour: AuthorityBehaviour): void {
  provider.use(async (context, next) => {
    const document = DOCUMENTS[context.path];
    if (document && options.metadata !== 'both' && options.metadata !== document) return refuse(context, 404);
    if (context.path === '/token' && behaviour.tokenEndpointDown) return refuse(context, 503);
    await next();
    if (document && behaviour.iss === 'unsupported') {
      const { authorization_response_iss_parameter_supported: _, ...rest } = context.body as Record<string, unknown>;
      context.body = rest;
    }
    if (context.status >= 300 && context.status < 400) bendRedirect(context, behaviour);
  });
}

async function refuse(context: Context, status: number): Promise<void> {
  context.status = status;
  context.body = { error: 'temporarily_unavailable' };
}

/** Changes the answer that the browser carries to the client. */
function bendRedirect(context: Context, behaviour: AuthorityBehaviour): void {
  const target = URL.parse(context.response.get('location'));
  if (!target?.searchParams.has('code') && !target?.searchParams.has('error')) return;
  if (behaviour.iss === 'wrong') target.searchParams.set('iss', 'http://127.0.0.1:9/somebody-else');
  else if (behaviour.iss !== 'right') target.searchParams.delete('iss');
  if (behaviour.state === 'wrong') target.searchParams.set('state', 'a-state-nobody-sent');
  else if (behaviour.state === 'missing') target.searchParams.delete('state');
  context.set('location', target.href);
}

/** The pages on which a person signs in and says yes or no. Any name is accepted; there are no passwords. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interaction, Provider } from 'oidc-provider';
import { readBody } from './listening.ts';

export async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const interaction = await provider.interactionDetails(request, response);
  const asked = interaction.prompt.name;
  if (request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'text/html' }).end(page(asked));
    return;
  }
  const answer = new URLSearchParams(await readBody(request));
  const result = answer.has('abort')
    ? { error: 'access_denied', error_description: 'the person said no' }
    : asked === 'login'
      ? { login: { accountId: answer.get('login') ?? 'somebody' } }
      : { consent: { grantId: await grant(provider, interaction) } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: asked === 'consent' });
}

function page(asked: string): string {
  const field = asked === 'login' ? '<input type="text" name="login" value="">' : '';
  const no = asked === 'consent' ? '<button type="submit" name="abort" value="yes">No</button>' : '';
  return `<!doctype html><title>${asked}</title><form method="post" action="">${field}<button type="submit">Go on</button>${no}</form>`;
}

async function grant(provider: Provider, { grantId, session, params, prompt }: Interaction): Promise<string> {
  const given =
    (grantId && (await provider.Grant.find(grantId))) ||
    new provider.Grant({ accountId: session?.accountId ?? 'somebody', clientId: params.client_id });
  const { missingOIDCScope, missingResourceScopes } = prompt.details;
  if (missingOIDCScope) given.addOIDCScope(missingOIDCScope.join(' '));
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {})) {
    given.addResourceScope(resource, scopes.join(' '));
  }
  return given.save();
}

/** Answers 401 for ever, whatever it is shown: with no way in, or with a sign-in that is announced and leads nowhere. */
import type { RequestListener } from 'node:http';

export const locked: RequestListener = (request, response) => {
  request.resume();
  response.writeHead(401, { 'www-authenticate': 'Bearer realm="nobody"' }).end('who are you');
};

export const lockedBehindSignIn: RequestListener = (request, response) => {
  request.resume();
  const origin = `http://${request.headers.host}`;
  const path = request.url ?? '';
  const send = (document: object): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  };
  if (path.startsWith('/.well-known/oauth-protected-resource')) {
    send({ resource: `${origin}/mcp`, authorization_servers: [origin] });
  } else if (path.startsWith('/.well-known/')) {
    send({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    });
  } else {
    const resource = `${origin}/.well-known/oauth-protected-resource/mcp`;
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${resource}"` }).end();
  }
};

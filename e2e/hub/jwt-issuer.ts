/** An OpenID provider that signs whatever a test wants signed, with keys that can change. */
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

type SigningKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

export interface JwtIssuer extends AsyncDisposable {
  readonly url: string;
  /** A token with these claims; by default one that is good for five minutes. */
  token(claims: object, options?: { readonly signedBy?: SigningKey; readonly kid?: string }): Promise<string>;
  /** From now on other keys are published, and used. */
  rotate(): Promise<void>;
  /** How often the keys were read. */
  readonly reads: () => number;
}

export async function startJwtIssuer(): Promise<JwtIssuer> {
  let [keys, kid, reads] = [await generateKeyPair('ES256', { extractable: true }), 1, 0];
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/.well-known/openid-configuration')
      response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
    else if (request.url === '/keys') {
      reads++;
      const key = { ...(await exportJWK(keys.publicKey)), kid: String(kid), alg: 'ES256', use: 'sig' };
      response.end(JSON.stringify({ keys: [key] }));
    } else response.writeHead(404).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const now = (): number => Math.floor(Date.now() / 1000);
  return {
    url,
    token: (claims, { signedBy = keys.privateKey, kid: named = String(kid) } = {}) =>
      new SignJWT({ iss: url, sub: 'ada', iat: now(), exp: now() + 300, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: named })
        .sign(signedBy),
    async rotate() {
      [keys, kid] = [await generateKeyPair('ES256', { extractable: true }), kid + 1];
    },
    reads: () => reads,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

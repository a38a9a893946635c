/** The clients an authority knows from the start: one for each way to prove who a client is. */
import { generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { CompleteOptions } from './options.ts';

export interface KnownClients {
  /** Has no secret. */
  readonly public: { readonly client_id: string };
  /** Sends its secret in the Authorization header. */
  readonly basic: SecretClient;
  /** Sends its secret in the body. */
  readonly post: SecretClient;
  /** Signs an assertion. */
  readonly jwt: KeyClient;
  /** Client credentials only, with a secret. */
  readonly machine: SecretClient;
  /** Client credentials only, with an assertion. */
  readonly machineJwt: KeyClient;
}

interface SecretClient {
  readonly client_id: string;
  readonly client_secret: string;
}

interface KeyClient {
  readonly client_id: string;
  readonly privateKey: KeyObject;
  readonly algorithm: 'ES256';
}

export function makeKnownClients(): KnownClients {
  const withSecret = (name: string): SecretClient => ({
    client_id: name,
    client_secret: `secret-of-${name}-0123456789abcdef`,
  });
  const withKey = (name: string): KeyClient => ({
    client_id: name,
    privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    algorithm: 'ES256',
  });
  return {
    public: { client_id: 'known-public' },
    basic: withSecret('known-basic'),
    post: withSecret('known-post'),
    jwt: withKey('known-jwt'),
    machine: withSecret('known-machine'),
    machineJwt: withKey('known-machine-jwt'),
  };
}

/** The same clients as the provider wants them: metadata of RFC 7591. */
export function registeredClients(known: KnownClients, options: CompleteOptions): object[] {
  const person = {
    application_type: 'native',
    redirect_uris: options.redirectUris,
    response_types: ['code'],
    grant_types: [
      'authorization_code',
      'refresh_token',
      ...(options.deviceFlow ? ['urn:ietf:params:oauth:grant-type:device_code'] : []),
    ],
  };
  const machine = { redirect_uris: [], response_types: [], grant_types: ['client_credentials'] };
  return [
    { ...person, ...known.public, token_endpoint_auth_method: 'none' },
    { ...person, ...known.basic, token_endpoint_auth_method: 'client_secret_basic' },
    { ...person, ...known.post, token_endpoint_auth_method: 'client_secret_post' },
    { ...person, ...signing(known.jwt) },
    { ...machine, ...known.machine, token_endpoint_auth_method: 'client_secret_basic' },
    { ...machine, ...signing(known.machineJwt) },
  ];
}

function signing(client: KeyClient): object {
  const { kty, crv, x, y } = client.privateKey.export({ format: 'jwk' }) as JsonWebKey;
  return {
    client_id: client.client_id,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ kty, crv, x, y, use: 'sig', alg: client.algorithm }] },
  };
}

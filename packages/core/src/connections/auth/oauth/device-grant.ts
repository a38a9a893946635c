/** A person signs in on another device (RFC 8628): a code is shown here and entered there. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OAuthTokens } from '@modelcontextprotocol/client';
import { expectWell, isPassing, oauthCode, signInFailed, signInStep, translated } from '../failures.ts';
import type { DeviceInfo } from '../interaction.ts';
import { fetchWithin } from '../reach.ts';
import type { Authority, GuardedServer } from './authority.ts';
import { authenticate } from './client-authentication.ts';
import type { OAuthClient } from './oauth-client.ts';
import { requestTokens } from './token-request.ts';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export interface DeviceGrant {
  readonly server: GuardedServer;
  readonly authority: Authority;
  readonly client: OAuthClient;
  readonly scope: string | undefined;
  show(info: DeviceInfo): void;
  readonly signal: AbortSignal;
}

/** Where a code is asked for; undefined where the authorization server has no such thing. */
export function deviceEndpoint({ metadata }: Authority): string | undefined {
  const found = (metadata as Record<string, unknown> | undefined)?.device_authorization_endpoint;
  return typeof found === 'string' && URL.canParse(found) ? found : undefined;
}

interface DeviceAnswer {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete?: string;
  readonly expires_in: number;
  readonly interval: number;
}

type DeviceDraft = Partial<DeviceAnswer> & { readonly error?: string; readonly verification_url?: string };

const DEFAULT_INTERVAL_S = 5;
const SLOWER_S = 5;
/** Whatever a server says: not without a pause, and not for ever. */
const INTERVAL_S = { least: 1, most: 60 };
const DEFAULT_EXPIRY_S = 600;
const EXPIRY_S = { least: 1, most: 3600 };

export async function grantByDevice(grant: DeviceGrant): Promise<OAuthTokens> {
  const asked = await askForCode(grant);
  grant.show({
    verificationUri: asked.verification_uri,
    ...(asked.verification_uri_complete ? { verificationUriComplete: asked.verification_uri_complete } : {}),
    userCode: asked.user_code,
    expiresInSeconds: asked.expires_in,
  });
  const { server, authority, client, signal } = grant;
  const giveUpAt = Date.now() + asked.expires_in * 1000;
  let intervalS = asked.interval;
  while (Date.now() < giveUpAt) {
    await sleep(intervalS * 1000, undefined, { signal });
    try {
      const params = new URLSearchParams({ grant_type: DEVICE_GRANT, device_code: asked.device_code });
      return await requestTokens(authority, client, params, { signal });
    } catch (error) {
      const code = oauthCode(error);
      // A network that fails for a moment says nothing about the code either.
      if (code === 'slow_down' || isPassing(error)) intervalS += SLOWER_S;
      else if (code !== 'authorization_pending') throw translated(server.id, 'signing in on another device', error);
    }
  }
  throw signInFailed(server.id, 'nobody entered the code in time', signInStep(server.id));
}

async function askForCode({ server, authority, client, scope, signal }: DeviceGrant): Promise<DeviceAnswer> {
  const { resource } = authority;
  const headers = new Headers({ accept: 'application/json' });
  const body = new URLSearchParams({ ...(scope ? { scope } : {}), ...(resource ? { resource } : {}) });
  const url = new URL(deviceEndpoint(authority) as string);
  await authenticate(client, authority, { headers, body, url });
  try {
    const response = await fetchWithin(authority.reach, signal)(url, { method: 'POST', headers, body });
    if (response.status >= 300 && response.status <= 399) throw new Error(`HTTP ${response.status}, a redirect`);
    expectWell(response);
    const { verification_url, ...rest } = (await response.json()) as DeviceDraft;
    // Google's name for it, older than the RFC.
    const answer: DeviceDraft = verification_url ? { verification_uri: verification_url, ...rest } : rest;
    if (response.ok && answer.device_code && answer.user_code && answer.verification_uri) return patient(answer);
    throw new Error(answer.error ?? `HTTP ${response.status}`);
  } catch (error) {
    throw translated(server.id, 'asking for a code to enter elsewhere', error);
  }
}

function patient(answer: DeviceDraft): DeviceAnswer {
  return {
    ...(answer as DeviceAnswer),
    expires_in: within(EXPIRY_S, answer.expires_in, DEFAULT_EXPIRY_S),
    interval: within(INTERVAL_S, answer.interval, DEFAULT_INTERVAL_S),
  };
}

function within({ least, most }: { least: number; most: number }, value: unknown, usual: number): number {
  return Math.min(Math.max(typeof value === 'number' && Number.isFinite(value) ? value : usual, least), most);
}

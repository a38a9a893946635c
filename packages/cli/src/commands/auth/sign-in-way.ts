/** How somebody at this machine can reach the page where they sign in. */
import { existsSync } from 'node:fs';
import type { Surroundings } from '@junctor/core/light';

export type SignInWay =
  /** A browser of this machine is opened. */
  | 'browser'
  /** The address is printed; the person opens it anywhere and pastes what comes back. */
  | 'paste'
  /** A short code is printed; the person enters it on any device. */
  | 'device';

export function signInWay(
  wanted: { readonly device: boolean; readonly noBrowser: boolean },
  surroundings: Surroundings,
): SignInWay {
  if (wanted.device) return 'device';
  return wanted.noBrowser || whyNoBrowser(surroundings) !== undefined ? 'paste' : 'browser';
}

/** Why no browser can be opened here, in a few words; undefined where one can. */
export function whyNoBrowser({ env, platform }: Surroundings): string | undefined {
  // Whoever names a browser knows better than any guess: editors on a remote machine name one that opens at home.
  if (env.BROWSER === 'none') return 'BROWSER is set to none';
  if (env.BROWSER) return undefined;
  if (env.SSH_CONNECTION || env.SSH_TTY) return 'this is an SSH session';
  if (platform !== 'linux') return undefined;
  if (env.container || CONTAINER_MARKS.some(mark => existsSync(mark))) return 'this is a container';
  return env.DISPLAY || env.WAYLAND_DISPLAY ? undefined : 'there is no display';
}

const CONTAINER_MARKS = ['/.dockerenv', '/run/.containerenv'];

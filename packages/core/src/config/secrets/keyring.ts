/** The keyring of the operating system: Keychain, Credential Manager or Secret Service. It keeps values, and lists none. */

import { createRequire } from 'node:module';
import { sentenceOf } from '../../base/error.ts';
import { withDeadline } from '../../base/time/deadline.ts';

export interface Keyring {
  get(account: string): Promise<string | undefined>;
  set(account: string, value: string): Promise<void>;
  remove(account: string): Promise<void>;
}

export type KeyringSearch =
  | { readonly kind: 'found'; readonly keyring: Keyring }
  | { readonly kind: 'absent'; readonly why: string };

const SERVICE = 'junctor';

/** Never stored. Asking for it shows whether the keyring answers, and unlocks nothing. */
const PROBE_ACCOUNT = 'is anybody there';

/** A keyring that needs longer to say no than this would hold up every start. */
const PROBE_MS = 5000;

/**
 * On Linux only the Secret Service counts. The library would otherwise turn to the kernel's keyring, which forgets
 * everything at the next start of the machine.
 */
const OPTIONS = { linux: { store: 'secret-service' } } as const;

export async function openKeyring(): Promise<KeyringSearch> {
  try {
    // Native code that not every platform has, so it is looked for and never relied on. Not by `import`: a bundler would
    // follow that, and fail.
    const { AsyncEntry } = createRequire(import.meta.url)('@napi-rs/keyring') as typeof import('@napi-rs/keyring');
    const entry = (account: string) => new AsyncEntry(SERVICE, account, OPTIONS);
    await withDeadline(entry(PROBE_ACCOUNT).getPassword(), {
      ms: PROBE_MS,
      error: () => new Error(`the keyring did not answer within ${PROBE_MS / 1000} s`),
    });
    return {
      kind: 'found',
      keyring: {
        get: async account => (await entry(account).getPassword()) ?? undefined,
        set: async (account, value) => void (await entry(account).setPassword(value)),
        remove: async account => void (await entry(account).deleteCredential()),
      },
    };
  } catch (error) {
    return { kind: 'absent', why: sentenceOf(error) };
  }
}

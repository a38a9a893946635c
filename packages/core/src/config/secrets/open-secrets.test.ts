import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Home, makeHome } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import type { JunctorError } from '../../base/error.ts';
import { Log } from '../../base/log/log.ts';
import { Redactor } from '../../base/log/redact.ts';
import type { KeyringSearch } from './keyring.ts';
import { openSecrets } from './open-secrets.ts';

const VALUE = 'tr0ub4dor-and-3';

const secretsFile = (home: Home) => join(home.data, 'secrets.json');
const keyFile = (home: Home) => join(dirname(home.userConfig), 'secret.key');

/** The secrets of a house as one process sees them: each call is a new one, with nothing remembered. */
function secretsOf(home: Home, env: Record<string, string> = { JUNCTOR_KEYRING: 'off' }, more: object = {}) {
  const surroundings = {
    cwd: home.project,
    home: home.path,
    // A house keeps its tests away from the keyring; the ones about it turn it on again.
    env: { ...home.env, JUNCTOR_KEYRING: 'on', ...env },
    platform: process.platform,
  };
  return openSecrets({ surroundings, dataDirectory: home.data, ...more });
}

async function failureOf(work: Promise<unknown>): Promise<JunctorError> {
  const error = await work.then(
    () => undefined,
    reason => reason as JunctorError,
  );
  if (!error) throw new Error('this was meant to fail');
  return error;
}

function passphrase(word: string): Record<string, string> {
  return { JUNCTOR_KEYRING: 'off', JUNCTOR_SECRET_KEY: word };
}

/** A keyring of this test's own. */
function fakeKeyring(entries = new Map<string, string>()) {
  const findKeyring = async (): Promise<KeyringSearch> => ({
    kind: 'found',
    keyring: {
      get: async account => entries.get(account),
      set: async (account, value) => void entries.set(account, value),
      remove: async account => void entries.delete(account),
    },
  });
  return { entries, findKeyring };
}

describe('secrets in the encrypted file', () => {
  test('are read back by the next process, and the file holds no value', async () => {
    await using home = await makeHome();
    const values = { token: VALUE, 'a.b-C_9': 'pässwörd ✓\nsecond line', ['__proto__']: 'odd name', constructor: 'x' };
    for (const [name, value] of Object.entries(values)) await (await secretsOf(home)).set(name, value);
    await (await secretsOf(home)).set('token', `${VALUE}-new`);
    const secrets = await secretsOf(home);
    expect(await secrets.list()).toEqual(['__proto__', 'a.b-C_9', 'constructor', 'token']);
    expect(await Promise.all((await secrets.list()).map(name => secrets.get(name)))).toEqual([
      'odd name',
      'pässwörd ✓\nsecond line',
      'x',
      `${VALUE}-new`,
    ]);
    expect([await secrets.get('nobody'), await secrets.nextKey()]).toEqual([undefined, 'key_file']);
    const text = await readFile(secretsFile(home), 'utf8');
    for (const value of Object.values(values).filter(one => one.length > 1)) expect(text).not.toContain(value);
    expect(await readdir(home.data)).toEqual(['secrets.json']);
  });

  test('have a key file of their own that only its owner may read', async () => {
    await using home = await makeHome();
    await (await secretsOf(home)).set('token', VALUE);
    const modes = await Promise.all(
      [keyFile(home), secretsFile(home)].map(async path => (await stat(path)).mode & 0o777),
    );
    expect(modes).toEqual([0o600, 0o600]);
    expect(Buffer.from(await readFile(keyFile(home), 'utf8'), 'base64url')).toHaveLength(32);
    const lines: string[] = [];
    const log = new Log({ level: 'warn', write: line => lines.push(line), redactor: new Redactor() });
    await chmod(keyFile(home), 0o644);
    expect(await (await secretsOf(home, undefined, { log })).get('token')).toBe(VALUE);
    expect(lines).toEqual([`WARN: others may read the key of your secrets: chmod 600 ${keyFile(home)}`]);
  });

  test('are sealed with JUNCTOR_SECRET_KEY where it is set, and no key file is made', async () => {
    await using home = await makeHome();
    await (await secretsOf(home, passphrase('correct horse'))).set('token', VALUE);
    expect(await (await secretsOf(home, passphrase('correct horse'))).get('token')).toBe(VALUE);
    await expect(stat(keyFile(home))).rejects.toThrow('ENOENT');
    const wrong = await failureOf((await secretsOf(home, passphrase('battery staple'))).get('token'));
    const hint = 'set JUNCTOR_SECRET_KEY to what it was then, or give the secret up: junctor secret remove token';
    expect([wrong.code, wrong.message, wrong.command]).toEqual([
      'secret_unreadable',
      "Secret 'token' was sealed with another JUNCTOR_SECRET_KEY than the one set now.",
      hint,
    ]);
    const missing = await failureOf((await secretsOf(home)).get('token'));
    expect([missing.code, missing.message, missing.command]).toEqual([
      'secret_unreadable',
      "Secret 'token' was sealed with JUNCTOR_SECRET_KEY, which is not set.",
      hint,
    ]);
  });

  test('are never mixed under two passphrases; whoever lost one gives the old secrets up', async () => {
    await using home = await makeHome();
    await (await secretsOf(home, passphrase('first'))).set('old', VALUE);
    const now = await secretsOf(home, passphrase('second'));
    expect((await failureOf(now.set('new', VALUE))).message).toContain("Secret 'old' was sealed with another");
    expect(await now.list()).toEqual(['old']);
    expect(await now.remove('old')).toBe(true);
    await now.set('new', VALUE);
    // Alone in its file, a secret may be set again under a new passphrase.
    await (await secretsOf(home, passphrase('third'))).set('new', 'other-value');
    expect(await (await secretsOf(home, passphrase('third'))).get('new')).toBe('other-value');
  });

  test('set under the key file stay readable once JUNCTOR_SECRET_KEY is set', async () => {
    await using home = await makeHome();
    await (await secretsOf(home)).set('before', VALUE);
    const later = await secretsOf(home, passphrase('word'));
    await later.set('after', 'another-value');
    expect([await later.get('before'), await later.get('after')]).toEqual([VALUE, 'another-value']);
  });

  test('say what to do when the key file is gone, exchanged or broken', async () => {
    await using home = await makeHome();
    await (await secretsOf(home)).set('token', VALUE);
    const key = await readFile(keyFile(home), 'utf8');
    await rm(keyFile(home));
    const gone = await failureOf((await secretsOf(home)).get('token'));
    expect([gone.code, gone.message, gone.command]).toEqual([
      'secret_unreadable',
      `Secret 'token' was sealed with the key in ${keyFile(home)}, which is gone.`,
      'restore that file, or give the secret up: junctor secret remove token',
    ]);
    // No new key in place of a lost one, while a secret still waits for it.
    expect((await failureOf((await secretsOf(home)).set('other', VALUE))).code).toBe('secret_unreadable');
    await expect(stat(keyFile(home))).rejects.toThrow('ENOENT');
    await writeFile(keyFile(home), `${Buffer.alloc(32).toString('base64url')}\n`);
    const exchanged = await failureOf((await secretsOf(home)).get('token'));
    expect(exchanged.message).toBe(`Secret 'token' was sealed with another key than the one in ${keyFile(home)}.`);
    await writeFile(keyFile(home), 'not a key');
    expect((await failureOf((await secretsOf(home)).get('token'))).message).toContain('does not hold a key');
    await writeFile(keyFile(home), key);
    expect(await (await secretsOf(home)).get('token')).toBe(VALUE);
  });

  test('that were altered, exchanged or moved from another file are refused', async () => {
    await using home = await makeHome();
    await using elsewhere = await makeHome();
    const env = { JUNCTOR_KEYRING: 'off', XDG_CONFIG_HOME: home.env.XDG_CONFIG_HOME as string };
    await (await secretsOf(home)).set('a', 'value-of-a');
    await (await secretsOf(home)).set('b', 'value-of-b');
    await (await secretsOf(elsewhere, env)).set('a', 'foreign');
    const original = JSON.parse(await readFile(secretsFile(home), 'utf8'));
    const foreign = JSON.parse(await readFile(secretsFile(elsewhere), 'utf8'));
    const [a, b] = original.secrets;
    const flipped = `${a.box.slice(0, 20)}${a.box[20] === 'A' ? 'B' : 'A'}${a.box.slice(21)}`;
    const attempts = [
      { ...original, secrets: [{ ...a, box: flipped }, b] },
      { ...original, secrets: [{ ...a, box: b.box }, b] },
      { ...original, secrets: [foreign.secrets[0], b] },
      { ...original, secrets: [{ ...a, key: 'passphrase' }, b] },
      { ...original, id: foreign.id },
      { ...original, keys: foreign.keys },
      { ...original, keys: {} },
      { ...original, secrets: [{ ...a, extra: 1 }, b] },
      { ...original, version: 2 },
      'not an object',
    ];
    for (const attempt of attempts) {
      await writeFile(secretsFile(home), JSON.stringify(attempt));
      const error = await failureOf((await secretsOf(home)).get('a'));
      expect([error.code, error.hint !== undefined]).toEqual(['secret_unreadable', true]);
      expect(`${error.message} ${error.why}`).not.toMatch(/value-of/);
    }
    await writeFile(secretsFile(home), '{ half');
    expect((await failureOf((await secretsOf(home)).list())).message).toContain(secretsFile(home));
    await writeFile(secretsFile(home), JSON.stringify(original));
    expect(await (await secretsOf(home)).get('a')).toBe('value-of-a');
  });

  test('of two processes that begin at once are all kept, under one key', async () => {
    await using home = await makeHome();
    const names = (who: string) => Array.from({ length: 10 }, (_, index) => `${who}-${index}`);
    const [one, two] = await Promise.all(['one', 'two'].map(who => setInProcess(home, names(who))));
    expect([one, two]).toEqual([0, 0]);
    const secrets = await secretsOf(home);
    expect(await secrets.list()).toEqual([...names('one'), ...names('two')]);
    for (const name of await secrets.list()) expect(await secrets.get(name)).toBe(`value of ${name}`);
    expect(await readdir(home.data)).toEqual(['secrets.json']);
  });

  test('of two data directories that begin at once share one key file', async () => {
    await using home = await makeHome();
    await using elsewhere = await makeHome();
    const shared = { ...elsewhere, env: { ...elsewhere.env, XDG_CONFIG_HOME: home.env.XDG_CONFIG_HOME as string } };
    expect(await Promise.all([setInProcess(home, ['here']), setInProcess(shared, ['there'])])).toEqual([0, 0]);
    expect(await (await secretsOf(home)).get('here')).toBe('value of here');
    expect(await (await secretsOf(shared)).get('there')).toBe('value of there');
  });

  test('need a name that fits a reference, and a value', async () => {
    await using home = await makeHome();
    const secrets = await secretsOf(home);
    for (const name of ['', 'a b', 'a}', 'ü', 'x'.repeat(129)]) {
      expect((await failureOf(secrets.set(name, VALUE))).code).toBe('usage');
    }
    expect((await failureOf(secrets.set('empty', ''))).code).toBe('usage');
    expect((await failureOf(secrets.set('huge', 'x'.repeat(64 * 1024 + 1)))).code).toBe('usage');
    expect([await secrets.list(), await secrets.remove('nobody')]).toEqual([[], false]);
    await expect(stat(home.data)).rejects.toThrow('ENOENT');
    expect((await failureOf(secretsOf(home, { JUNCTOR_KEYRING: 'of' }))).hint).toContain('on or off');
  });
});

describe('secrets where a keyring answers', () => {
  test('are sealed with a key that it keeps, before any other; that key goes with the last of them', async () => {
    await using home = await makeHome();
    const { entries, findKeyring } = fakeKeyring();
    const secrets = await secretsOf(home, { JUNCTOR_SECRET_KEY: 'word' }, { findKeyring });
    await secrets.set('token', VALUE);
    await secrets.set('TOKEN', 'other-value');
    expect([...entries.values()].map(key => Buffer.from(key, 'base64url').length)).toEqual([32]);
    const written = await readFile(secretsFile(home), 'utf8');
    for (const hidden of [VALUE, ...entries.values()]) expect(written).not.toContain(hidden);
    expect(await secrets.listPlaces()).toEqual([
      { name: 'TOKEN', store: 'file', key: 'keyring' },
      { name: 'token', store: 'file', key: 'keyring' },
    ]);
    await expect(stat(keyFile(home))).rejects.toThrow('ENOENT');
    const next = await secretsOf(home, {}, { findKeyring });
    expect([await next.get('token'), await next.get('TOKEN'), await next.nextKey()]).toEqual([
      VALUE,
      'other-value',
      'keyring',
    ]);
    expect([await next.remove('token'), await next.get('token'), entries.size]).toEqual([true, undefined, 1]);
    expect([await next.remove('TOKEN'), entries.size]).toEqual([true, 0]);
  });

  test('of two data directories have keys of their own', async () => {
    await using home = await makeHome();
    await using elsewhere = await makeHome();
    const { entries, findKeyring } = fakeKeyring();
    const [here, there] = await Promise.all([home, elsewhere].map(one => secretsOf(one, {}, { findKeyring })));
    await here?.set('token', 'of-here');
    await there?.set('token', 'of-there');
    expect(new Set(entries.values()).size).toBe(2);
    expect(await there?.remove('token')).toBe(true);
    expect([await here?.get('token'), await there?.get('token')]).toEqual(['of-here', undefined]);
  });

  test('that were set without it stay readable, and get its key when they are set again', async () => {
    await using home = await makeHome();
    await (await secretsOf(home)).set('token', VALUE);
    const { findKeyring } = fakeKeyring();
    const secrets = await secretsOf(home, {}, { findKeyring });
    expect(await secrets.get('token')).toBe(VALUE);
    expect(await secrets.listPlaces()).toEqual([{ name: 'token', store: 'file', key: 'key_file' }]);
    await secrets.set('token', 'new-value');
    expect(await secrets.listPlaces()).toEqual([{ name: 'token', store: 'file', key: 'keyring' }]);
  });

  test('say so where it is out of reach or has lost the key, and can be set again', async () => {
    await using home = await makeHome();
    const { entries, findKeyring } = fakeKeyring();
    await (await secretsOf(home, {}, { findKeyring })).set('token', VALUE);
    const without = await secretsOf(home);
    const absent = await failureOf(without.get('token'));
    expect([absent.code, absent.message, absent.why, absent.command]).toEqual([
      'secret_unreadable',
      "Secret 'token' was sealed with a key in the OS keyring, which cannot be reached.",
      'JUNCTOR_KEYRING is off',
      'run this where the keyring is, or set the secret again: junctor secret set token',
    ]);
    entries.clear();
    expect((await failureOf((await secretsOf(home, {}, { findKeyring })).get('token'))).message).toBe(
      "Secret 'token' was sealed with a key that the OS keyring no longer holds.",
    );
    await without.set('token', 'second-value');
    expect(await without.get('token')).toBe('second-value');
    expect(await without.remove('token')).toBe(true);
  });

  test('never show a key when the keyring refuses it', async () => {
    await using home = await makeHome();
    const refuse = async (_account: string, value = '') => {
      throw new Error(`cannot take ${value}`);
    };
    const keyring = { get: async () => undefined, set: refuse, remove: refuse };
    const secrets = await secretsOf(home, {}, { findKeyring: async () => ({ kind: 'found', keyring }) });
    const error = await failureOf(secrets.set('token', VALUE));
    expect([error.code, error.message, error.why, error.hint, error.cause]).toEqual([
      'secret_unreadable',
      'The OS keyring did not keep the key of the secrets file.',
      'cannot take •••',
      'unlock the keyring and try again; with JUNCTOR_KEYRING=off new secrets are sealed with another key',
      undefined,
    ]);
    expect(await secrets.list()).toEqual([]);
  });
});

describe('values that an earlier version put into the keyring', () => {
  const id = 'of-this-file';
  const account = `token (${createHash('sha256').update(`${id} token`).digest('hex').slice(0, 16)})`;

  async function earlierHome(home: Home) {
    const secrets = [{ name: 'token', store: 'keyring' }];
    await home.write('data/secrets.json', { version: 1, id, keys: {}, secrets });
    return fakeKeyring(new Map([[account, VALUE]]));
  }

  test('are read, and move into the file', async () => {
    await using home = await makeHome();
    const { entries, findKeyring } = await earlierHome(home);
    const secrets = await secretsOf(home, {}, { findKeyring });
    expect(await secrets.listPlaces()).toEqual([{ name: 'token', store: 'keyring' }]);
    expect(await secrets.get('token')).toBe(VALUE);
    expect(await secrets.listPlaces()).toEqual([{ name: 'token', store: 'file', key: 'keyring' }]);
    expect([entries.has(account), entries.size, await secrets.get('token')]).toEqual([false, 1, VALUE]);
  });

  test('are removed there, and named where the keyring is out of reach', async () => {
    await using home = await makeHome();
    const { entries, findKeyring } = await earlierHome(home);
    const lines: string[] = [];
    const log = new Log({ level: 'warn', write: line => lines.push(line), redactor: new Redactor() });
    const without = await secretsOf(home, undefined, { log });
    for (const work of [() => without.get('token'), () => without.remove('token')]) {
      const error = await failureOf(work());
      expect([error.message, error.why]).toEqual([
        "Secret 'token' lies in the OS keyring, which cannot be reached.",
        'JUNCTOR_KEYRING is off',
      ]);
    }
    expect(await (await secretsOf(home, {}, { findKeyring })).remove('token')).toBe(true);
    expect(entries.size).toBe(0);
    await earlierHome(home);
    await without.set('token', 'second-value');
    expect(await without.get('token')).toBe('second-value');
    expect(lines).toEqual([
      "WARN: the earlier value of secret 'token' stays in the OS keyring: JUNCTOR_KEYRING is off",
    ]);
  });
});

/** Sets secrets one after the other in a process of its own; resolves to its exit code. */
async function setInProcess(home: Home, names: readonly string[]): Promise<number | null> {
  const source = `
    import { openSecrets } from ${JSON.stringify(new URL('./open-secrets.ts', import.meta.url).href)};
    const surroundings = { cwd: '.', home: process.env.HOME, env: process.env, platform: process.platform };
    const secrets = await openSecrets({ surroundings, dataDirectory: process.env.JUNCTOR_DATA });
    for (const name of process.argv.slice(1)) await secrets.set(name, 'value of ' + name);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, ...names], {
    env: { ...home.env, JUNCTOR_KEYRING: 'off' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

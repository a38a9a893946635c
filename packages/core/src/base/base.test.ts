import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { Bus } from './bus.ts';
import { isJunctorError } from './error.ts';
import { writeFileAtomic } from './files/atomic-file.ts';
import { withFileLock } from './files/file-lock.ts';
import { Log } from './log/log.ts';
import { namesSecret, Redactor } from './log/redact.ts';
import { Scope } from './scope.ts';
import { nearest } from './text/nearest.ts';
import { waitAtMost, withDeadline } from './time/deadline.ts';

describe('Scope', () => {
  test('undoes newest first, once, past failures, and aborts before anything', async () => {
    const order: string[] = [];
    const scope = new Scope();
    scope.signal.addEventListener('abort', () => order.push('abort'));
    scope.defer(() => void order.push('first'));
    scope.defer(() => {
      throw new Error('this step fails');
    });
    scope.defer(async () => void order.push('last'));
    await expect(scope.close()).rejects.toThrow('this step fails');
    await expect(scope.close()).rejects.toThrow('this step fails');
    expect(order).toEqual(['abort', 'last', 'first']);
  });
});

const clockOf = (tasks: (() => void)[]) => ({
  now: () => 0,
  after(_ms: number, task: () => void) {
    tasks.push(task);
    return () => void tasks.splice(tasks.indexOf(task), 1);
  },
});

describe('waitAtMost', () => {
  test('has no value when the time is over first, passes an outcome on, and leaves no timer', async () => {
    const tasks: (() => void)[] = [];
    const { promise, reject } = Promise.withResolvers<string>();
    const late = waitAtMost(5, promise, clockOf(tasks));
    tasks[0]?.();
    expect(await late).toBeUndefined();
    reject(new Error('too late to matter'));
    expect(await waitAtMost(5, Promise.resolve('in time'), clockOf(tasks))).toBe('in time');
    await expect(waitAtMost(5, Promise.reject(new Error('failed')), clockOf(tasks))).rejects.toThrow('failed');
    expect(tasks).toEqual([]);
  });
});

describe('withDeadline', () => {
  test('gives up when time or signal says so, and passes an outcome on', async () => {
    const tasks: (() => void)[] = [];
    const never = new Promise<string>(() => {});
    const late = withDeadline(never, { ms: 5, error: () => new Error('late'), clock: clockOf(tasks) });
    tasks[0]?.();
    await expect(late).rejects.toThrow('late');
    const abort = new AbortController();
    const stopped = withDeadline(never, {
      ms: 5,
      error: () => new Error('late'),
      signal: abort.signal,
      clock: clockOf([]),
    });
    abort.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    expect(await withDeadline(Promise.resolve('in time'), { ms: 5, error: () => new Error('late') })).toBe('in time');
  });
});

describe('Bus', () => {
  test('a listener that throws stops neither the event nor the others', () => {
    const seen: string[] = [];
    const bus = new Bus<{ type: 'a' } | { type: 'b' }>(error => seen.push(String(error)));
    bus.on('a', () => {
      throw new Error('bad listener');
    });
    const stop = bus.on('a', () => seen.push('a'));
    bus.emit({ type: 'a' });
    bus.emit({ type: 'b' });
    stop();
    bus.emit({ type: 'a' });
    expect(seen).toEqual(['Error: bad listener', 'a', 'Error: bad listener']);
  });
});

describe('isJunctorError', () => {
  test('knows an error of another copy of this package, and no error that only has a code', () => {
    class JunctorError extends Error {
      override readonly name = 'JunctorError';
      readonly code = 'timeout';
    }
    const other = new JunctorError('from another copy');
    expect([isJunctorError(other), isJunctorError(other, 'timeout'), isJunctorError(other, 'usage')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(isJunctorError(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBe(false);
  });
});

describe('Redactor', () => {
  test('masks what it knows and what looks like a credential, also inside JSON', () => {
    const redactor = new Redactor();
    redactor.learn('hunter2-secret');
    redactor.learn('with "quotes" inside');
    redactor.learn('abc');
    expect(redactor.mask('x hunter2-secret y abc')).toBe('x ••• y abc');
    expect(redactor.mask(JSON.stringify({ a: 'with "quotes" inside' }))).toBe('{"a":"•••"}');
    expect(redactor.mask('Authorization: Bearer abcdef.ghijkl')).toBe('Authorization: Bearer •••');
    expect(redactor.mask('postgres://me:pass@host/db')).toBe('postgres://me:•••@host/db');
    expect(redactor.mask(`jct_${'x'.repeat(43)}`)).toBe('jct_•••');
  });

  promise('12.6l', 'masks every form of a secret, and short ones where they stand as a value', () => {
    const redactor = new Redactor();
    const secret = 'S3cr3t va/lue+42=';
    redactor.learn(secret);
    redactor.learn('p1n');
    redactor.learn('1234');
    const url = new URL('https://example.com/');
    url.search = `?k=${secret}`;
    const forms = [
      `GET ${url}`,
      `k=${encodeURIComponent(secret)}`,
      `k=${encodeURIComponent(secret).toLowerCase().replace('s3cr3t', 'S3cr3t')}`,
      new URLSearchParams({ k: secret }).toString(),
      btoa(secret),
      btoa(`u:${secret}`),
      btoa(`us:${secret}:more`),
      Buffer.from(`${secret}??>`).toString('base64url'),
    ];
    for (const form of forms) {
      const masked = redactor.mask(form);
      expect([form, masked.includes('•••'), /S3cr|UzNj|M2NyM3Q|zY3IzdCB/.test(masked)]).toEqual([form, true, false]);
    }
    expect(redactor.mask('?pin=p1n&x=1 x-pin: p1n {"pin":"p1n"}')).toBe('?pin=•••&x=1 x-pin: ••• {"pin":"•••"}');
    expect(redactor.mask('the p1n of {"port":1234,"n": 1234} at 1234')).toBe(
      'the p1n of {"port":1234,"n": 1234} at 1234',
    );
    expect(redactor.mask('code=1234')).toBe('code=•••');
    expect(redactor.maskKnown('pin=p1n')).toBe('pin=p1n');
  });

  test('a log line is masked, and lines below its level are not written', () => {
    const lines: string[] = [];
    const redactor = new Redactor();
    redactor.learn('s3cr3t-value');
    const log = new Log({ level: 'warn', write: line => lines.push(line), redactor });
    log.info('quiet');
    log.warn('loud', { header: 's3cr3t-value', error: new Error('why') });
    expect(lines).toEqual(['WARN: loud {"header":"•••","error":"why"}']);
  });

  test('a log line has a time for people who read it later, and is an object for programs', () => {
    const lines: string[] = [];
    const redactor = new Redactor();
    redactor.learn('s3cr3t-value');
    const written = (format: 'text' | 'json') =>
      new Log({ level: 'info', format, write: line => lines.push(line), redactor }).about({ agent: 'codex' });
    written('text').warn('two\nlines', { header: 's3cr3t-value' });
    written('json').warn('two\nlines', { header: 's3cr3t-value', level: 'not ours', error: new Error('why') });
    const [text = '', json = ''] = lines;
    expect(text).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z WARN: two\n {2}lines \{"agent":"codex","header":"•••"\}$/);
    expect(json).not.toContain('\n');
    expect(JSON.parse(json)).toEqual({
      time: expect.stringMatching(/Z$/),
      level: 'warn',
      msg: 'two\nlines',
      agent: 'codex',
      header: '•••',
      error: 'why',
    });
  });

  test('knows the names that hold secrets', () => {
    expect(['Authorization', 'X-Api-Key', 'GITHUB_TOKEN', 'db_password'].map(namesSecret)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['PATH', 'X-Workspace', 'NODE_ENV'].map(namesSecret)).toEqual([false, false, false]);
  });
});

describe('nearest', () => {
  test.each([
    ['comand', 'command'],
    ['serverUrl', 'server_url'],
    ['zzz', undefined],
  ])('%s → %s', (word, expected) => {
    expect(nearest(word, ['command', 'args', 'server_url'])).toBe(expected);
  });
});

describe('files', () => {
  test('are replaced whole, privately, through a symlink, and leave no draft', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'files-'));
    try {
      const target = join(folder, 'real', 'config.json');
      await writeFileAtomic(target, 'one');
      expect((await stat(target)).mode & 0o777).toBe(0o600);
      await symlink(target, join(folder, 'link.json'));
      await writeFileAtomic(join(folder, 'link.json'), 'two');
      expect([await readFile(target, 'utf8'), await readdir(join(folder, 'real'))]).toEqual(['two', ['config.json']]);
      await mkdir(join(folder, 'taken'));
      await expect(writeFileAtomic(join(folder, 'taken'), 'three')).rejects.toThrow();
      expect((await readdir(folder)).sort()).toEqual(['link.json', 'real', 'taken']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('are not locked for ever by whoever was killed before it could say who it is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'locks-'));
    try {
      const file = join(folder, 'tokens');
      await writeFile(`${file}.lock`, '');
      // A moment ago: it may be about to.
      const soon = withFileLock(file, async () => 'in', { patienceMs: 100 });
      await expect(soon).rejects.toMatchObject({ code: 'config_conflict' });
      const aMinuteAgo = new Date(Date.now() - 60_000);
      await utimes(`${file}.lock`, aMinuteAgo, aMinuteAgo);
      expect(await withFileLock(file, async () => 'in')).toBe('in');
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('are locked against another holder, and a dead holder is passed over', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'locks-'));
    try {
      const file = join(folder, 'counter');
      await writeFile(file, '0');
      await writeFile(`${file}.lock`, '999999999 somebody long gone');
      const increment = () =>
        withFileLock(file, async () => {
          const count = Number(await readFile(file, 'utf8'));
          await writeFile(file, String(count + 1));
        });
      for (let round = 1; round <= 10; round++) {
        // Each round begins with a lock whose owner is gone: taking it over is where two could get in at once.
        await writeFile(`${file}.lock`, '999999999 somebody long gone');
        await Promise.all(Array.from({ length: 20 }, increment));
        expect(await readFile(file, 'utf8')).toBe(String(20 * round));
      }
      expect(await readdir(folder)).toEqual(['counter']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

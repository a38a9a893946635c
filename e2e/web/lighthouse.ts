/** What Lighthouse says about a page of a hub, in a browser of its own that is logged in by a cookie. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import lighthouse from 'lighthouse';
import { CHROMIUM_FLAGS } from './chromium.ts';

export type Category = 'accessibility' | 'best-practices' | 'performance';

export interface Judgement {
  /** 0 to 100. */
  readonly scores: Readonly<Partial<Record<Category, number>>>;
  /** What cost points, as sentences. */
  readonly complaints: readonly string[];
}

export interface Lighthouse extends AsyncDisposable {
  judge(url: string, cookie: string, categories: readonly Category[]): Promise<Judgement>;
}

export async function openLighthouse(chromium: string): Promise<Lighthouse> {
  const profile = await mkdtemp(join(tmpdir(), 'junctor-lighthouse-'));
  const flags = [...CHROMIUM_FLAGS, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const browser = spawn(chromium, [...flags, 'about:blank'], {
    // It leaves files in its temporary folder: they go with the profile.
    env: { ...process.env, TMPDIR: profile },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(browser, 'exit');
  let said = '';
  const port = await new Promise<number>((resolve, reject) => {
    browser.stderr.setEncoding('utf8').on('data', chunk => {
      said = (said + chunk).slice(-10_000);
      const found = /DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(said);
      if (found) resolve(Number(found[1]));
    });
    browser.once('exit', code => reject(new Error(`Chromium ended with code ${code}: ${said}`)));
  });
  return {
    async judge(url, cookie, categories) {
      const flags = { port, onlyCategories: [...categories], extraHeaders: { cookie }, logLevel: 'error' as const };
      const result = await lighthouse(url, flags);
      if (!result) throw new Error(`Lighthouse said nothing about ${url}`);
      return judgementIn(result.lhr);
    },
    async [Symbol.asyncDispose]() {
      browser.kill('SIGTERM');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null; readonly auditRefs: readonly Ref[] }>>;
  readonly audits: Readonly<Record<string, { readonly title: string; readonly score: number | null }>>;
  readonly runtimeError?: { readonly message: string } | undefined;
}

interface Ref {
  readonly id: string;
  readonly weight: number;
}

function judgementIn({ categories, audits, runtimeError }: Report): Judgement {
  if (runtimeError) throw new Error(runtimeError.message);
  const scores = Object.entries(categories).map(([id, { score }]) => [id, Math.round((score ?? 0) * 100)]);
  const costly = Object.values(categories).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
  const complaints = costly.flatMap(({ id }) => {
    const { title, score } = audits[id] ?? { title: id, score: null };
    return score === null || score >= 0.9 ? [] : [`${id}: ${title}`];
  });
  return { scores: Object.fromEntries(scores), complaints };
}

/** The cookie of a browser that opened this address, which is good once. */
export async function cookieFrom(address: string): Promise<string> {
  const answer = await fetch(address, { redirect: 'manual' });
  const [cookie = ''] = answer.headers.getSetCookie();
  return cookie.split(';', 1)[0] as string;
}

/** A browser of a few lines: it keeps cookies, follows redirects, fills in forms and presses the button it is told to. */
import { request as ask, type IncomingHttpHeaders } from 'node:http';
import { readBody } from './listening.ts';

export interface VisitOptions {
  /** What the person answers when asked whether the client may; yes by default. */
  readonly consent?: boolean;
  /** Who signs in. Another name than the last time begins with an empty cookie jar. */
  readonly account?: string;
  /** False: the last redirect, the one back to the client, is told and not followed. */
  readonly follow?: boolean;
}

export interface Visit {
  /** Where the browser ended, or would have ended: the address back at the client, with code and state. */
  readonly url: string;
  readonly status: number;
  /** The text of the page it ended on, without tags; empty when the last redirect was not followed. */
  readonly page: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A sign-in takes eight steps or so; who needs more goes in a circle. */
const MOST_STEPS = 30;

export class Browser {
  readonly #cookies = new Map<string, string>();
  #account: string | undefined;

  async visit(address: string | URL, options: VisitOptions = {}): Promise<Visit> {
    const { consent = true, account = 'somebody', follow = true } = options;
    if (this.#account !== account) this.#cookies.clear();
    this.#account = account;
    let url = new URL(address);
    const back = url.searchParams.get('redirect_uri');
    let answer = await this.#load(url);
    for (let step = 0; step < MOST_STEPS; step++) {
      const location = answer.headers.location;
      const form = location === undefined ? findForm(answer.body) : undefined;
      if (location !== undefined) {
        url = new URL(location, url);
        if (!follow && back && url.href.startsWith(back)) return { url: url.href, status: answer.status, page: '' };
        answer = await this.#load(url);
      } else if (form && answer.status === 200 && !(back && url.href.startsWith(back))) {
        url = new URL(form.action, url);
        answer = await this.#load(url, fillIn(form, { account, consent }));
      } else {
        return { url: url.href, status: answer.status, page: plainText(answer.body) };
      }
    }
    throw new Error(`the sign-in goes in a circle at ${url.origin}${url.pathname}`);
  }

  async #load(url: URL, form?: URLSearchParams): Promise<Answer> {
    const answer = await load(url, form, [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (!name) continue;
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value ?? '');
    }
    return answer;
  }
}

function load(url: URL, form: URLSearchParams | undefined, cookie: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      accept: 'text/html',
      ...(cookie && { cookie }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    // No agent: a connection that is kept would look like a leak of the test.
    const asking = ask(url, { method: form ? 'POST' : 'GET', headers, agent: false }, response => {
      readBody(response).then(
        body => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    asking.on('error', reject);
    asking.end(form?.toString());
  });
}

interface Form {
  readonly action: string;
  readonly fields: ReadonlyMap<string, string>;
  readonly canSayNo: boolean;
}

function findForm(html: string): Form | undefined {
  const tag = /<form\b[^>]*>/.exec(html)?.[0];
  if (tag === undefined) return undefined;
  const inputs = [...html.matchAll(/<input\b[^>]*>/g)].map(([input]) => input);
  return {
    action: attribute(tag, 'action') ?? '',
    fields: new Map(inputs.map(input => [attribute(input, 'name') ?? '', attribute(input, 'value') ?? ''])),
    canSayNo: /<button\b[^>]*name="abort"/.test(html) || attribute(tag, 'id') === 'op.deviceConfirmForm',
  };
}

function fillIn({ fields, canSayNo }: Form, person: { account: string; consent: boolean }): URLSearchParams {
  const filled = new URLSearchParams([...fields]);
  if (filled.has('login')) filled.set('login', person.account);
  if (canSayNo && !person.consent) filled.set('abort', 'yes');
  return filled;
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&');
}

function plainText(html: string): string {
  return html
    .replaceAll(/<(style|script)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

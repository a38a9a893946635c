/** Sends bytes over kept connections and reads the answer as it comes: `fetch` refuses much of what is damaged. */
import { Agent, type IncomingMessage, request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface RawRequest {
  readonly path: string;
  readonly method?: 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Gets each message of a stream as it comes. */
  readonly onMessage?: (message: Record<string, unknown>) => void;
  /** The answer is a stream without an end: it is left once it begins. */
  readonly isEndless?: boolean;
}

/** Above every limit of the hub and its servers by so much that only a lost answer takes longer. */
const BOUND_MS = 60_000;

export class FuzzHttpClient implements Disposable {
  readonly #url: URL;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string, token: string) {
    this.#url = new URL(url);
    this.#token = token;
  }

  send({ path, method = 'POST', headers, body, onMessage, isEndless }: RawRequest): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#url;
      const all = { ...headers, authorization: `Bearer ${this.#token}`, 'content-length': String(body.length) };
      const sent = request({ hostname, port, path, method, headers: all, agent: this.#agent });
      const bound = setTimeout(() => sent.destroy(new Error(`no answer within ${BOUND_MS} ms`)), BOUND_MS);
      sent.once('error', reject).once('close', () => clearTimeout(bound));
      sent.once('response', response => {
        const { statusCode: status = 0 } = response;
        let text = '';
        response.once('error', reject).setEncoding('utf8');
        const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
        if (isEndless && isStream) {
          resolve({ status, headers: response.headers, text });
          return void sent.destroy();
        }
        let read = 0;
        response.on('data', chunk => {
          text += chunk;
          if (!isStream || !onMessage) return;
          for (let end = text.indexOf('\n\n', read); end !== -1; end = text.indexOf('\n\n', read)) {
            const event = text.slice(read, end);
            read = end + 2;
            if (event.includes('"method"')) tell(event, onMessage);
          }
        });
        response.once('end', () => resolve({ status, headers: response.headers, text }));
      });
      sent.end(body);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** What cannot be read is judged when the response is over. */
function tell(event: string, onMessage: (message: Record<string, unknown>) => void): void {
  try {
    messagesIn(event).forEach(onMessage);
  } catch {}
}

/** Every message of a response, whether it came as a document or as a stream. */
export function messagesIn(text: string): Record<string, unknown>[] {
  const found = text.split('\n').filter(line => line.startsWith(DATA));
  const documents = found.length > 0 ? found.map(line => line.slice(DATA.length)) : [text];
  return documents.filter(json => json.trim() !== '').map(json => JSON.parse(json));
}

const DATA = 'data: ';

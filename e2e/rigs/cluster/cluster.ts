/**
 * A Kubernetes API server of one process, for tests: real kubectl talks to it, and what runs in its pods are real processes.
 * It knows pods, services and secrets of any namespace; exec, attach, port-forward and logs; and watches that end by a change.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Container } from './container.ts';
import { DISCOVERY } from './discovery.ts';
import { type KubeObject, Pod } from './pod.ts';
import { servePorts, serveProcess } from './pod-streams.ts';

export interface ClusterOptions {
  /** What can be pulled, and the variables that come with it. */
  readonly images?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Namespaces in which nobody may do anything. */
  readonly forbidden?: readonly string[];
  /** Whether it knows nobody who asks. */
  readonly locked?: boolean;
}

interface Place {
  readonly namespace: string;
  readonly kind: string;
  readonly name?: string | undefined;
  readonly part?: string | undefined;
}

export class Cluster implements AsyncDisposable {
  readonly #options: ClusterOptions;
  readonly #pods = new Map<string, Pod>();
  readonly #objects = new Map<string, KubeObject>();
  readonly #watches = new Set<() => void>();
  /** Connections that speak HTTP no longer. */
  readonly #upgraded = new Set<Duplex>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  private constructor(options: ClusterOptions) {
    this.#options = options;
    this.#server.on('upgrade', (request, socket, head) => {
      this.#upgraded.add(socket);
      socket.on('close', () => this.#upgraded.delete(socket));
      const place = placeOf(request.url ?? '');
      const containers = (place && this.#pods.get(keyOf(place))?.containers) ?? new Map<string, Container>();
      const asked = new URL(request.url ?? '', 'http://cluster').searchParams.get('container');
      const container = asked === null ? [...containers.values()][0] : containers.get(asked);
      // Newer clients try WebSockets first, and are content with what is older.
      if (request.headers.upgrade?.toLowerCase() !== 'spdy/3.1') return void socket.end(refusal('no WebSockets here'));
      if (!container) return void socket.end(refusal(`container ${asked} is not valid for pod ${place?.name}`));
      if (place?.part === 'portforward') servePorts(request, socket, head);
      else serveProcess(request, socket, head, container);
    });
  }

  static async start(options: ClusterOptions): Promise<Cluster> {
    const cluster = new Cluster(options);
    cluster.#server.listen(0, '127.0.0.1');
    await once(cluster.#server, 'listening');
    return cluster;
  }

  /** What kubectl needs to find and enter it. */
  get kubeconfig(): object {
    const { port } = this.#server.address() as AddressInfo;
    return {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      clusters: [{ name: 'test', cluster: { server: `http://127.0.0.1:${port}` } }],
      contexts: [{ name: 'test', context: { cluster: 'test' } }],
    };
  }

  /** All objects of a kind, in every namespace. */
  list(kind: 'pods' | 'services' | 'secrets'): KubeObject[] {
    const all = [...this.#objects, ...[...this.#pods].map(([key, pod]) => [key, pod.object] as const)];
    return all.flatMap(([key, object]) => (key.split('/')[1] === kind ? [object] : []));
  }

  get count(): Record<'pods' | 'services' | 'secrets', number> {
    const [pods, services, secrets] = (['pods', 'services', 'secrets'] as const).map(kind => this.list(kind).length);
    return { pods: pods ?? 0, services: services ?? 0, secrets: secrets ?? 0 };
  }

  isReady(namespace: string, pod: string): boolean {
    return this.#pods.get(keyOf({ namespace, kind: 'pods', name: pod }))?.isReady ?? false;
  }

  create(namespace: string, kind: 'pods' | 'services' | 'secrets', object: KubeObject): KubeObject {
    const key = keyOf({ namespace, kind, name: object.metadata.name });
    if (kind !== 'pods') {
      const stored = { ...object, metadata: { ...object.metadata, namespace, resourceVersion: '1' } };
      this.#objects.set(key, stored);
      return stored;
    }
    const pod = new Pod(object, {
      namespace,
      imageEnv: image => this.#options.images?.[image],
      secret: name => secretValues(this.#objects.get(keyOf({ namespace, kind: 'secrets', name }))),
      onChange: () => this.#changed(),
    });
    this.#pods.set(key, pod);
    this.#changed();
    return pod.object;
  }

  async remove(namespace: string, kind: string, name: string, graceMs = 2000): Promise<KubeObject | undefined> {
    const key = keyOf({ namespace, kind, name });
    const pod = this.#pods.get(key);
    const found = pod?.object ?? this.#objects.get(key);
    await pod?.end(graceMs);
    this.#pods.delete(key);
    this.#objects.delete(key);
    this.#changed();
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#pods.values()].map(pod => pod.end(0)));
    this.#server.closeAllConnections();
    for (const socket of this.#upgraded) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://cluster');
    const say = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const refuse = (code: number, reason: string, message: string): void =>
      say(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message });
    if (this.#options.locked) return refuse(401, 'Unauthorized', 'Unauthorized');
    const known = DISCOVERY[url.pathname];
    if (known) return say(200, known);
    // Every namespace is there.
    const [, namespace] = /^\/api\/v1\/namespaces\/([^/]+)$/.exec(url.pathname) ?? [];
    if (namespace) return say(200, { kind: 'Namespace', apiVersion: 'v1', metadata: { name: namespace } });
    const place = placeOf(url.pathname);
    if (!place) return refuse(404, 'NotFound', `the server has no ${url.pathname}`);
    if (this.#options.forbidden?.includes(place.namespace)) {
      const message = `${place.kind} is forbidden: User "test" cannot use resource "${place.kind}" in API group "" in the namespace "${place.namespace}"`;
      return refuse(403, 'Forbidden', message);
    }
    if (request.method === 'POST') {
      return say(201, this.create(place.namespace, place.kind as 'pods', JSON.parse(await textOf(request))));
    }
    if (place.name === undefined) return this.#list(place, url.searchParams, response, say);
    const missing = (): void => refuse(404, 'NotFound', `${place.kind} "${place.name}" not found`);
    if (request.method === 'DELETE') {
      const wish = JSON.parse((await textOf(request)) || '{}') as { gracePeriodSeconds?: number };
      const graceMs = (wish.gracePeriodSeconds ?? 2) * 1000;
      const gone = await this.remove(place.namespace, place.kind, place.name, graceMs);
      return gone ? say(200, gone) : missing();
    }
    if (place.part === 'log') return void response.end(this.#pods.get(keyOf(place))?.logs ?? '');
    const found = this.#pods.get(keyOf(place))?.object ?? this.#objects.get(keyOf(place));
    return found ? say(200, found) : missing();
  }

  #list(place: Place, wanted: URLSearchParams, response: ServerResponse, say: (code: number, body: object) => void) {
    const chosen = (): KubeObject[] =>
      this.list(place.kind as 'pods').filter(
        object => object.metadata.namespace === place.namespace && matches(object, wanted),
      );
    if (!['true', '1'].includes(wanted.get('watch') ?? '')) {
      const kind = { pods: 'PodList', services: 'ServiceList', secrets: 'SecretList' }[place.kind] ?? 'List';
      return say(200, { kind, apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: chosen() });
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    let last = '';
    const look = (): void => {
      const now = chosen();
      if (JSON.stringify(now) === last) return;
      last = JSON.stringify(now);
      for (const object of now) response.write(`${JSON.stringify({ type: 'MODIFIED', object })}\n`);
    };
    look();
    this.#watches.add(look);
    response.on('close', () => this.#watches.delete(look));
  }

  #changed(): void {
    for (const look of this.#watches) look();
  }
}

/** For a connection that was to speak something else than HTTP. */
function refusal(message: string): string {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 400, reason: 'BadRequest', message };
  const body = JSON.stringify(status);
  const lines = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json', `Content-Length: ${body.length}`];
  return `${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`;
}

function placeOf(path: string): Place | undefined {
  const [, namespace, kind, name, part] =
    /^\/api\/v1\/namespaces\/([^/?]+)\/(pods|services|secrets)(?:\/([^/?]+))?(?:\/([^/?]+))?/.exec(path) ?? [];
  return namespace === undefined || kind === undefined ? undefined : { namespace, kind, name, part };
}

function keyOf({ namespace, kind, name }: Place): string {
  return `${namespace}/${kind}/${name}`;
}

function matches({ metadata }: KubeObject, wanted: URLSearchParams): boolean {
  const terms = (wanted.get('labelSelector') ?? '').split(',').filter(Boolean);
  const labelled = terms.every(term => {
    const [name = '', value] = term.split('=');
    const label = metadata.labels?.[name];
    return value === undefined ? label !== undefined : label === value;
  });
  const [, name] = /metadata\.name=([^,]+)/.exec(wanted.get('fieldSelector') ?? '') ?? [];
  return labelled && (name === undefined || name === metadata.name);
}

function secretValues(secret: KubeObject | undefined): Record<string, string> {
  const plain = (secret?.stringData ?? {}) as Record<string, string>;
  const data = Object.entries((secret?.data ?? {}) as Record<string, string>);
  return {
    ...Object.fromEntries(data.map(([key, value]) => [key, Buffer.from(value, 'base64').toString()])),
    ...plain,
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

/** A pod of the fake cluster: what was asked for, and what runs of it. */
import { randomUUID } from 'node:crypto';
import { Container, type ContainerSpec } from './container.ts';

/** As much of a Kubernetes object as is looked at. */
export interface KubeObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly [key: string]: unknown;
}

interface EnvSource {
  readonly env?: readonly { name: string; value?: string }[];
  readonly envFrom?: readonly { secretRef?: { name: string } }[];
}

type PodSpec = { readonly containers: readonly (ContainerSpec & EnvSource)[] };

export interface PodSurroundings {
  readonly namespace: string;
  /** Variables of an image; undefined: nobody can pull it. */
  imageEnv(image: string): Readonly<Record<string, string>> | undefined;
  /** What a Secret of this namespace holds. */
  secret(name: string): Readonly<Record<string, string>>;
  onChange(): void;
}

export class Pod {
  readonly containers: ReadonlyMap<string, Container>;
  readonly #written: KubeObject;
  readonly #namespace: string;
  readonly #uid = randomUUID();
  readonly #unpullable: boolean;
  #ready = false;

  constructor(written: KubeObject, surroundings: PodSurroundings) {
    this.#written = written;
    this.#namespace = surroundings.namespace;
    const specs = (written.spec as PodSpec).containers;
    this.#unpullable = specs.some(({ image }) => surroundings.imageEnv(image) === undefined);
    this.containers = new Map(
      this.#unpullable
        ? []
        : specs.map(spec => [spec.name, new Container(written.metadata.name, spec, envOf(spec, surroundings))]),
    );
    void Promise.all([...this.containers.values()].map(container => container.untilReady())).then(() => {
      this.#ready = true;
      surroundings.onChange();
    });
    for (const { main } of this.containers.values()) main.once('exit', () => setImmediate(surroundings.onChange));
  }

  get phase(): 'Pending' | 'Running' | 'Succeeded' | 'Failed' {
    if (this.#unpullable) return 'Pending';
    const codes = [...this.containers.values()].map(({ exitCode }) => exitCode);
    if (codes.some(code => code === undefined)) return 'Running';
    return codes.every(code => code === 0) ? 'Succeeded' : 'Failed';
  }

  get isReady(): boolean {
    return this.phase === 'Running' && this.#ready;
  }

  /** As the API shows it. */
  get object(): KubeObject {
    const specs = (this.#written.spec as PodSpec).containers;
    const { phase } = this;
    const ready = this.isReady;
    return {
      ...this.#written,
      metadata: { ...this.#written.metadata, namespace: this.#namespace, uid: this.#uid, resourceVersion: '1' },
      status: {
        phase,
        conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
        containerStatuses: specs.map(({ name, image }) => ({
          name,
          image,
          ready,
          state: this.#stateOf(name, image),
        })),
      },
    } as KubeObject;
  }

  /** What its containers have printed. */
  get logs(): string {
    return [...this.containers.values()].map(({ printed }) => printed).join('');
  }

  async end(graceMs: number): Promise<void> {
    await Promise.all([...this.containers.values()].map(container => container.end(graceMs)));
  }

  #stateOf(name: string, image: string): object {
    const container = this.containers.get(name);
    if (!container)
      return { waiting: { reason: 'ErrImagePull', message: `Back-off pulling image "${image}": not found` } };
    if (container.exitCode === undefined) return { running: {} };
    return { terminated: { exitCode: container.exitCode, reason: container.exitCode === 0 ? 'Completed' : 'Error' } };
  }
}

function envOf(spec: ContainerSpec & EnvSource, surroundings: PodSurroundings): Record<string, string> {
  const secrets = (spec.envFrom ?? []).map(({ secretRef }) => (secretRef ? surroundings.secret(secretRef.name) : {}));
  const named = Object.fromEntries((spec.env ?? []).map(({ name, value = '' }) => [name, value]));
  return Object.assign({}, surroundings.imageEnv(spec.image), ...secrets, named);
}

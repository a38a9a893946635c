/**
 * The port of every executor: it turns the start of a program over there into the start of a program on this machine, such
 * as `docker` or `ssh`, whose pipes are those of the server. That one is started like any stdio server, so that everything
 * about processes holds for it too: its family is ended in steps, its last words are kept, a guard ends it when we are killed.
 *
 * What an executor has to see to:
 * - Nothing secret stands in a command line. Variables of the server go through the environment of the program here, or
 *   through `opening`, which is written to its stdin before anything else.
 * - What may live on over there when the program here is gone has an `undo`: it runs after every end, also when we were
 *   killed. What dies with its connection needs none.
 * - What has to be made over there first is made by `prepare`, which runs when the `undo` is already certain.
 * - A failure of the place, not of the server, is told by `diagnose`: what is wrong there, and what to do.
 */
import { JunctorError } from '../../base/error.ts';
import type { Site } from '../../resolve/site.ts';
import type { Environment } from '../process/environment.ts';
import type { Program } from '../process/find-command.ts';

/** A program as it is to run over there. */
export interface StartThere {
  readonly server: string;
  readonly program: Program;
  /** The port it listens on over there. Undefined: it is talked to through its pipes. */
  readonly port: number | undefined;
  /** Our own environment: the program here may need to know from it where to go. */
  readonly environment: Environment;
  /** How long it may take until it answers. */
  readonly connectMs: number;
  /** Folders of ours that no server needs to see: what lies there opens other servers. */
  readonly secluded: readonly string[];
}

/** What is started on this machine in its place. */
export interface StartHere {
  readonly program: Program;
  readonly opening?: string | undefined;
  /** What the program reads from further descriptors, from 3 on. */
  readonly inputs?: readonly Uint8Array[] | undefined;
  /** `host:port` at which this machine reaches the port over there. */
  readonly address?: string | undefined;
  readonly undo?: Program | undefined;
  readonly prepare?: ((signal: AbortSignal) => Promise<void>) | undefined;
}

/** The way to what runs over there already. */
export interface Way {
  /** `host:port` at which this machine reaches it. */
  readonly address: string;
  /** What holds the way open, as long as it runs. Undefined: it is open. */
  readonly program?: Program | undefined;
}

export interface Ended {
  readonly code: number | null;
  /** What it printed last. */
  readonly words: string;
}

export interface Diagnosis {
  readonly why: string;
  readonly hint: string;
}

export interface Executor {
  place(what: StartThere): StartHere | Promise<StartHere>;
  /** Only where addresses lead somewhere over there alone. */
  reach?(url: string, environment: Environment): Way | Promise<Way>;
  /** Why the place could not run the program, which ended before it had answered. Undefined: the program itself failed. */
  diagnose(ended: Ended): Diagnosis | undefined;
  /** Ends what was left behind by Junctors of this machine that are gone. Only where something can be. */
  sweep?(environment: Environment, signal: AbortSignal): Promise<void>;
}

/** Loaded when a server is first started there: most runs need none of them. */
export async function executorAt(site: Site): Promise<Executor> {
  if (site.kind === 'docker') return (await import('./docker/docker.ts')).docker(site);
  if (site.kind === 'ssh') return (await import('./ssh/ssh.ts')).ssh(site.settings);
  if (site.kind === 'k8s') return (await import('./k8s/k8s.ts')).k8s(site);
  return (await import('./sandbox/sandbox.ts')).sandbox(site);
}

export function unavailable({ executor }: Site, server: string, { why, hint }: Diagnosis): JunctorError {
  return new JunctorError('executor_unavailable', `Executor '${executor}' cannot run server '${server}'.`, {
    server,
    why,
    hint,
  });
}

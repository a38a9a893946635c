/** One run of the bench, as workloads see it: who takes part, where it runs, and where the numbers go. */
import type { Gateway, HttpUpstream, Library } from './contestants/contestant.ts';
import { type Door, directDoor, gatewayDoor } from './doors.ts';
import type { Samples, Subject, Values } from './samples.ts';
import type { Stage } from './stage.ts';
import { stdioUpstreams } from './upstreams.ts';

export interface Contestants {
  readonly libraries: readonly Library[];
  readonly gateways: readonly Gateway[];
  /** Whether the http server itself is measured beside the gateways. */
  readonly direct: boolean;
}

export interface BenchOptions extends Contestants {
  readonly rounds: number;
  readonly stage: Stage;
  readonly samples: Samples;
  readonly say: (line: string) => void;
}

export class Bench {
  readonly rounds: number;
  readonly libraries: readonly Library[];
  readonly stage: Stage;
  readonly #options: BenchOptions;

  constructor(options: BenchOptions) {
    this.#options = options;
    this.rounds = options.rounds;
    this.libraries = options.libraries;
    this.stage = options.stage;
  }

  /** The gateways, each in front of one server with that many tools. */
  gateways(tools = 3): Door[] {
    const [upstream] = stdioUpstreams(1, `--tools=${tools}`);
    return this.#options.gateways.map(gateway => gatewayDoor(this.stage, gateway, upstream, tools));
  }

  /** The gateways, and the server itself. */
  doors(direct: HttpUpstream, tools = 3): Door[] {
    const gateways = this.gateways(tools);
    return this.#options.direct ? [directDoor(direct), ...gateways] : gateways;
  }

  /** Notes what a measurement gives. One that fails is noted too, and the others go on. */
  async record(subject: Subject, round: number, measure: () => Promise<Values>): Promise<void> {
    const outcome = await measure().catch(asError);
    const sample = this.#options.samples.add(subject, round, outcome);
    const { workload, variant, contestant } = subject;
    const numbers = Object.entries(sample.values).map(([name, value]) => `${name} ${Number(value.toPrecision(3))}`);
    this.#options.say(`${round + 1} ${workload} ${variant} ${contestant}: ${sample.error ?? numbers.join(', ')}`);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

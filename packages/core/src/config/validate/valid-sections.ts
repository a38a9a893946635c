/**
 * Sections of a file in which some entries are written wrongly. The good entries count. A bad one may have taken something
 * away, and must not give it back by a slip of the pen: on a bad executor nothing runs, a bad agent gets no servers, of the
 * server of a bad bundle nothing is offered, and a switch that is neither on nor off is off. Pure.
 */

import type * as z from 'zod/mini';
import { isObject } from '../../base/json/is-object.ts';
import { Profile } from '../schema/profile-schema.ts';
import {
  Agent,
  type AgentDef,
  Bundle,
  type BundleDef,
  type ConfigFrame,
  type ExecutorMcpPolicy,
  ExecutorPolicy,
} from '../schema/schema.ts';
import { rulesIn } from './salvaged-rules.ts';

type Frame = Readonly<Record<string, unknown>>;

/** What still counts of the sections that are named as bad. */
export function validSections(frame: Frame, bad: ReadonlySet<PropertyKey | undefined>): ConfigFrame {
  const sections = Object.entries(SECTIONS).filter(([name]) => bad.has(name));
  return Object.fromEntries(sections.map(([name, valid]) => [name, valid(frame[name])]));
}

const SECTIONS = {
  enabled: () => false,
  permissions: rulesIn,
  // This machine is where servers run anyway.
  executors: written => validEntries(written, ExecutorPolicy, name => (name === 'local' ? undefined : RUNS_NOTHING)),
  agents: written => validEntries(written, Agent, () => GETS_NOTHING),
  bundles: written => validEntries(written, Bundle, (_name, bundle) => offeringNothing(bundle)),
  // These take nothing away: without one, what is built in counts.
  model_profiles: written => validEntries(written, Profile, () => undefined),
  client_profiles: written => validEntries(written, Profile, () => undefined),
} satisfies { readonly [Section in keyof ConfigFrame]: (written: unknown) => NonNullable<ConfigFrame[Section]> };

function validEntries<Schema extends z.ZodMiniType>(
  written: unknown,
  schema: Schema,
  insteadOf: (name: string, entry: unknown) => z.infer<Schema> | undefined,
): Record<string, z.infer<Schema>> {
  const entries = Object.entries(isObject(written) ? written : {}).flatMap(([name, entry]) => {
    const judged = schema.safeParse(entry);
    const value = judged.success ? judged.data : insteadOf(name, entry);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

const RUNS_NOTHING: ExecutorMcpPolicy = {
  allow_stdio: false,
  allow_http: false,
  allow_sse: false,
  allow_streamable_http: false,
  allow_ws: false,
};

const GETS_NOTHING: AgentDef = { enabled: false };

/** Undefined where it does not even say which server it means. */
function offeringNothing(bundle: unknown): BundleDef | undefined {
  const { serverId } = isObject(bundle) ? bundle : {};
  return isText(serverId) ? { serverId, allowTools: [] } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

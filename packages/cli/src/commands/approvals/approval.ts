/** A question of the hub's inbox, as its REST tells it. */
import { headAndTail, JunctorError, visibleText } from '@junctor/core/light';
import type { HubRest } from '../../hub/hub-rest.ts';
import { oneLine, tableOfProjects } from '../../output/table.ts';

export interface Approval {
  readonly id: string;
  readonly agent: string | null;
  readonly project: string | null;
  readonly server: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly because: string;
  readonly changed?: readonly string[];
  readonly asked: string;
  readonly expires: string | null;
  readonly outcome: string | null;
  readonly by: string | null;
}

const SHORT_ID = 8;
const SHOWN_ARGUMENTS = 60;

export async function openApprovals(hub: HubRest): Promise<readonly Approval[]> {
  return (await hub.ask<{ approvals: readonly Approval[] }>('/api/approvals?limit=1000')).approvals;
}

/** People need not type all of an id: its beginning will do, as long as no other begins so. */
export async function idOf(hub: HubRest, given: string): Promise<string> {
  const near = (await openApprovals(hub)).filter(({ id }) => id.startsWith(given));
  if (near.length <= 1) return near[0]?.id ?? given;
  throw new JunctorError('usage', `'${given}' is the beginning of ${near.length} ids.`, {
    hint: `one of: ${near.map(({ id }) => id).join(', ')}`,
  });
}

export function noSuchQuestion(given: string): JunctorError {
  return new JunctorError('not_found', `There is no question '${given}'.`, { hint: 'junctor approvals lists them' });
}

export function approvalTable(approvals: readonly Approval[], now: number): string {
  const rows = approvals.map(one => ({
    project: one.project,
    cells: [
      one.id.slice(0, SHORT_ID),
      one.agent ?? '-',
      `${one.server}/${visibleText(one.tool)}`,
      oneLine(headAndTail(visibleText(one.arguments), SHOWN_ARGUMENTS), 2 * SHOWN_ARGUMENTS),
      stateOf(one, now),
    ],
  }));
  return tableOfProjects(['ID', 'AGENT', 'TOOL', 'ARGUMENTS', 'STATE'], rows);
}

function stateOf({ outcome, by, expires }: Approval, now: number): string {
  if (outcome !== null) return by === null ? outcome : `${outcome}, ${by}`;
  if (expires === null) return 'waits';
  const seconds = Math.max(0, Math.round((Date.parse(expires) - now) / 1000));
  return `waits, ${seconds} s left`;
}

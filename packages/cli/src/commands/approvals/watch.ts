/** Questions as they come. At a terminal a person answers them one after the other; else they are only told. */
import type { Question } from '@junctor/core';
import { visibleText } from '@junctor/core/light';
import type { Context } from '../../context.ts';
import type { HubRest } from '../../hub/hub-rest.ts';
import { askPermission } from '../../output/ask.ts';
import { printJsonLine } from '../../output/json-line.ts';
import { type Approval, approvalTable, openApprovals } from './approval.ts';

const TYPES = ['approval-requested', 'approval-answered'];

interface AboutApproval {
  readonly approval_id: string;
  readonly outcome?: string;
  readonly by?: string;
}

export async function watchApprovals(context: Context, hub: HubRest, agent: string | undefined): Promise<number> {
  const watch = new Watch(context, hub, agent);
  for await (const { type, data } of hub.events(TYPES, () => watch.begin())) {
    if (type === 'approval-requested') await watch.look();
    else watch.settled(data as AboutApproval);
  }
  context.talk('the hub has ended');
  return 1;
}

class Watch {
  readonly #context: Context;
  readonly #hub: HubRest;
  readonly #agent: string | undefined;
  /** Those that were told, and how to take a question back. */
  readonly #told = new Map<string, AbortController>();
  /** One after the other: there is one terminal. */
  #asking: Promise<void> = Promise.resolve();

  constructor(context: Context, hub: HubRest, agent: string | undefined) {
    this.#context = context;
    this.#hub = hub;
    this.#agent = agent;
  }

  begin(): void {
    if (this.#context.interactive)
      this.#context.talk('you are asked as calls come that wait for a yes; Ctrl-C ends this');
    // Where the hub is gone already, the stream of events says so.
    this.look().catch(() => {});
  }

  /** Tells of whatever waits and was not told of. */
  async look(): Promise<void> {
    for (const approval of await openApprovals(this.#hub)) {
      if (this.#told.has(approval.id) || (this.#agent !== undefined && approval.agent !== this.#agent)) continue;
      const over = new AbortController();
      this.#told.set(approval.id, over);
      if (this.#context.interactive) this.#askNext(approval, over.signal);
      else if (this.#context.global.json) printJsonLine(this.#context, approval);
      else this.#context.answer({ json: approval, text: approvalTable([approval], Date.now()) });
    }
  }

  settled({ approval_id: id, outcome = '', by }: AboutApproval): void {
    if (!this.#told.has(id)) return;
    this.#told.get(id)?.abort();
    this.#told.delete(id);
    this.#context.talk(`${id.slice(0, 8)} is settled: ${outcome}${by === undefined ? '' : `, ${by}`}`);
  }

  #askNext(approval: Approval, over: AbortSignal): void {
    this.#asking = this.#asking
      .then(() => this.#ask(approval, over))
      .catch(error => {
        // Whoever interrupts ends the whole watch.
        if (!this.#context.signal.aborted) this.#context.talk((error as Error).message);
      });
  }

  async #ask(approval: Approval, over: AbortSignal): Promise<void> {
    if (over.aborted) return;
    const { id, agent, project, server, tool, arguments: args, because, changed } = approval;
    const where = project === null ? '' : ` in ${visibleText(project)}`;
    const whose = `${agent === null ? '' : ` for agent '${agent}'`}${where}`;
    const question = {
      server,
      tool,
      args: args as Question['args'],
      because: `${because}${whose}`,
      signal: over,
      ...(changed ? { changed } : {}),
    };
    const answer = await askPermission(question, this.#context);
    if (over.aborted) return;
    const { scope, allAgents } = typeof answer === 'object' ? answer : { scope: answer };
    const body = { answer: scope, from: 'terminal', ...(allAgents ? { all_agents: true } : {}) };
    // Somebody else may have been quicker: that is told as it is settled.
    await this.#hub.ask(`/api/approvals/${id}`, { method: 'POST', body }).catch(error => {
      this.#context.talk((error as Error).message);
    });
  }
}

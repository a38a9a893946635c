/** What is stored about agents and executors. A change is checked and made in one step: nobody comes in between. */
import type { Store } from './store.ts';

/** What was posted for an agent, as JSON. */
export interface StoredConfig {
  readonly agent: string;
  readonly body: string;
}

export interface StoredPolicy {
  readonly executor: string;
  /** Absent: it holds for every agent. */
  readonly agent?: string;
  readonly policy: string;
}

export class AgentRows {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  configs(): Promise<StoredConfig[]> {
    return this.#store.db.selectFrom('agent_configs').select(['agent', 'body']).orderBy('agent').execute();
  }

  async policies(): Promise<StoredPolicy[]> {
    const { db } = this.#store;
    const general = await db.selectFrom('executor_policies').select(['executor', 'policy']).execute();
    const own = await db.selectFrom('agent_overrides').select(['agent', 'executor', 'policy']).execute();
    return [...general, ...own];
  }

  /** Puts a config in the place of what is there, if `check` has nothing against it. Undefined takes it away. */
  async replaceConfig(
    agent: string,
    body: string | undefined,
    check: (present: string | undefined) => void,
  ): Promise<void> {
    await this.#store.alone(async change => {
      const row = await change.selectFrom('agent_configs').select('body').where('agent', '=', agent).executeTakeFirst();
      check(row?.body);
      await change.deleteFrom('agent_configs').where('agent', '=', agent).execute();
      if (body !== undefined)
        await change.insertInto('agent_configs').values({ agent, body, updated: Date.now() }).execute();
    });
    await this.#store.announce(`agents ${agent}`);
  }

  /** The policy of an executor, for all agents or for one, if `check` has nothing against it. Undefined takes it away. */
  async replacePolicy(
    { executor, agent }: Omit<StoredPolicy, 'policy'>,
    policy: string | undefined,
    check: (present: string | undefined) => void,
  ): Promise<void> {
    await this.#store.alone(async change => {
      if (agent === undefined) {
        const row = change.selectFrom('executor_policies').select('policy').where('executor', '=', executor);
        check((await row.executeTakeFirst())?.policy);
        await change.deleteFrom('executor_policies').where('executor', '=', executor).execute();
        if (policy === undefined) return;
        await change.insertInto('executor_policies').values({ executor, policy, updated: Date.now() }).execute();
        return;
      }
      const row = change.selectFrom('agent_overrides').select('policy').where('executor', '=', executor);
      check((await row.where('agent', '=', agent).executeTakeFirst())?.policy);
      await change.deleteFrom('agent_overrides').where('agent', '=', agent).where('executor', '=', executor).execute();
      if (policy === undefined) return;
      await change.insertInto('agent_overrides').values({ agent, executor, policy, updated: Date.now() }).execute();
    });
    await this.#store.announce('agents');
  }
}

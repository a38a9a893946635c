/** What one authority remembers: tokens, grants, sessions and clients, each with the id and the model it belongs to. */
import type { Adapter } from 'oidc-provider';

interface Payload {
  readonly uid?: string;
  readonly userCode?: string;
  readonly grantId?: string;
  consumed?: number;
}

export class Store {
  readonly #records = new Map<string, Map<string, Payload>>();

  readonly adapter = (model: string): Adapter => {
    const records = this.#model(model);
    const findBy = async (key: 'uid' | 'userCode', value: string): Promise<Payload | undefined> =>
      records.values().find(payload => payload[key] === value);
    return {
      async upsert(id, payload) {
        records.set(id, payload);
      },
      find: async id => records.get(id),
      findByUid: uid => findBy('uid', uid),
      findByUserCode: userCode => findBy('userCode', userCode),
      async consume(id) {
        const payload = records.get(id);
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      async destroy(id) {
        records.delete(id);
      },
      async revokeByGrantId(grantId) {
        for (const [id, payload] of records) if (payload.grantId === grantId) records.delete(id);
      },
    };
  };

  /** Forgets everything that was issued under a grant, and the grant; all grants when none is named. */
  revoke(grantId?: string): void {
    for (const [model, records] of this.#records) {
      for (const [id, payload] of records) {
        const belongsTo = model === 'Grant' ? id : payload.grantId;
        if (belongsTo !== undefined && (grantId === undefined || grantId === belongsTo)) records.delete(id);
      }
    }
  }

  /** Access tokens end; what they can be renewed with stays. */
  expireAccessTokens(): void {
    this.#model('AccessToken').clear();
    this.#model('ClientCredentials').clear();
  }

  #model(model: string): Map<string, Payload> {
    let records = this.#records.get(model);
    if (!records) {
      records = new Map();
      this.#records.set(model, records);
    }
    return records;
  }
}

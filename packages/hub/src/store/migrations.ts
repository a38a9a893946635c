/** The tables, step by step. A step that was taken once is never changed: what comes later is a step of its own. */
import { JunctorError, VERSION } from '@junctor/core';
import { sql } from 'kysely';
import type { Store } from './store.ts';

/** Brings a database up to date. Two hubs that start at once do it one after the other. */
export async function migrate(store: Store): Promise<void> {
  await store.alone(async change => {
    await sql`create table if not exists migrations (name text primary key, at bigint not null)`.execute(change);
    const taken = new Set((await change.selectFrom('migrations').select('name').execute()).map(({ name }) => name));
    const unknown = [...taken].find(name => !Object.hasOwn(STEPS, name));
    if (unknown !== undefined) throw newer(store, unknown);
    for (const [name, statements] of Object.entries(STEPS)) {
      if (taken.has(name)) continue;
      for (const statement of statements) await sql.raw(inDialect(statement, store.kind)).execute(change);
      await change.insertInto('migrations').values({ name, at: Date.now() }).execute();
    }
  });
}

const STEPS: Readonly<Record<string, readonly string[]>> = {
  '0001-agents': [
    `create table agent_configs (agent text primary key, body text not null, updated bigint not null)`,
    `create table agent_overrides (
       agent text not null, executor text not null, policy text not null, updated bigint not null,
       primary key (agent, executor))`,
    `create table executor_policies (executor text primary key, policy text not null, updated bigint not null)`,
  ],
  '0002-calls': [
    `create table calls (
       seq $counted, call_id text not null, bearer text not null, agent text not null, session text not null,
       server text not null, tool text not null, verdict text not null, because text not null, started bigint not null,
       ms double precision not null, bytes_in bigint not null, bytes_out bigint not null, outcome text not null,
       failed integer not null, code text, arguments text)`,
    `create index calls_started on calls (started)`,
    `create table tool_statistics (
       agent text not null, server text not null, tool text not null, calls bigint not null, errors bigint not null,
       bytes bigint not null, last_used bigint not null, primary key (agent, server, tool))`,
    `create table tool_durations (
       agent text not null, server text not null, tool text not null, class bigint not null, count bigint not null,
       primary key (agent, server, tool, class))`,
  ],
  '0003-permission': [
    `create table approvals (
       id text primary key, hub text not null, agent text not null, session text not null, server text not null,
       tool text not null, arguments text not null, because text not null, asked bigint not null, expires bigint,
       outcome text, answered bigint)`,
    `create table grants (id text primary key, body text not null, granted bigint not null)`,
  ],
  '0004-sessions': [
    `create table sessions (
       id text primary key, hub text not null, agent text not null, server text not null, client text not null,
       protocol text not null, opened bigint not null, seen bigint not null, closed bigint)`,
    `create table attachments (
       session text not null, server text not null, delivered bigint, initialised bigint, listed bigint, called bigint,
       primary key (session, server))`,
  ],
  '0005-answers': [
    `alter table approvals add column answered_by text`,
    `alter table approvals add column note text`,
    `alter table approvals add column said text`,
  ],
  '0006-page-sessions': [
    `create table page_sessions (sha256 text primary key, created bigint not null, expires bigint not null)`,
  ],
  '0007-hubs': [
    `create table hubs (
       id text primary key, life text not null, url text not null, pass text not null, machine text not null,
       data_directory text not null, version text not null, started bigint not null, seen bigint not null)`,
  ],
  '0008-sign-ins': [
    `create table sealing_keys (
       id text primary key, kind text not null, salt text not null, proof text not null, made bigint not null)`,
    `create table sign_ins (
       name text primary key, sealing_key text not null, box text not null, updated bigint not null)`,
  ],
  '0009-hub-tokens': [
    `create table hub_tokens (sha256 text primary key, agent text, session text, name text, created text not null)`,
    `create table page_codes (sha256 text primary key, expires bigint not null)`,
  ],
  '0010-lost-sessions': [
    `alter table sessions add column principal text`,
    `alter table sessions add column door text`,
    `alter table sessions add column capabilities text`,
    `alter table sessions add column lost bigint`,
  ],
  '0011-leases': [`create table leases (what text primary key, life text not null, since bigint not null)`],
  '0012-secrets': [
    `create table secrets (name text primary key, sealing_key text not null, box text not null, updated bigint not null)`,
  ],
  '0013-token-executors': [`alter table hub_tokens add column executor text`],
  '0014-each-call-once': [
    `delete from calls where seq in (
       select seq from (select seq, row_number() over (partition by call_id order by seq) as copy from calls) as numbered
       where copy > 1)`,
    `create unique index calls_call_id on calls (call_id)`,
  ],
  '0015-hub-keys': [`alter table hubs drop column pass`, `alter table hubs add column key text not null default ''`],
  '0016-token-opens': [`alter table hub_tokens add column opens text`],
  '0017-token-expires': [`alter table hub_tokens add column expires text`],
  '0018-callers': [
    `alter table calls add column person text not null default ''`,
    `alter table calls add column surface text not null default ''`,
    `alter table page_sessions add column name text`,
    `alter table page_codes add column name text`,
  ],
  '0019-makers': [
    `alter table hub_tokens add column made_by text`,
    `alter table hub_tokens add column made_by_name text`,
    `alter table page_sessions add column made_by text`,
    `alter table page_codes add column made_by text`,
    `alter table page_codes add column until bigint`,
    `create table token_uses (sha256 text primary key, used bigint not null)`,
  ],
  '0020-kept-arguments': [
    `alter table approvals add column cut text`,
    `alter table approvals add column readable text`,
    `update approvals set arguments = '"not kept"' where length(arguments) > 65536`,
  ],
  '0021-projects': [
    `alter table calls add column project text not null default ''`,
    `alter table sessions add column project text not null default ''`,
    `alter table approvals add column project text not null default ''`,
  ],
  '0022-acts': [
    `create table acts (
       seq $counted, at bigint not null, act text not null, person text not null, made_with text not null, via text not null,
       address text not null, target text not null, before text, after text, outcome text not null)`,
    `create index acts_at on acts (at)`,
  ],
  '0023-server-questions': [
    `create table server_questions (server text primary key, body text not null, updated bigint not null)`,
  ],
};

/** What a later step took away or means otherwise is not known here: going on could spoil what is stored. */
function newer({ place }: Store, step: string): JunctorError {
  return new JunctorError('database_failed', `The hub's database ${place} belongs to a newer version of Junctor.`, {
    why: `version ${VERSION} does not know the step '${step}', which was taken there`,
    hint: 'start the newer version, or put back the copy from before it was first started',
  });
}

/** All words mean the same in both, but for a number that counts itself up. */
function inDialect(statement: string, kind: Store['kind']): string {
  return statement.replace('$counted', kind === 'sqlite' ? 'integer primary key' : 'bigserial primary key');
}

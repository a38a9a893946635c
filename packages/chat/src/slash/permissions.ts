import { describeRule } from '@junctor/core';
import { NATIVE } from '../native/permitted.ts';
import type { SlashCommand } from './slash-command.ts';
import { columns } from './table.ts';

export const permissions: SlashCommand = {
  name: 'permissions',
  usage: '[revoke SERVER/TOOL]',
  summary: 'show rules, and what you allowed for longer than one call; or take one back',
  async run([verb, what = ''], { host, conversation, say }) {
    if (verb === 'revoke') {
      const [server = '', tool] = what.includes('/') ? what.split('/') : [NATIVE, what];
      const revoked = await host.grants.revoke({ server, tool });
      return say(revoked > 0 ? `'${what}' is asked about again` : `nothing was allowed for '${what}'`);
    }
    const { allow = [], ask = [], deny = [] } = host.loaded.frame.permissions ?? {};
    const rules = Object.entries({ deny, ask, allow }).flatMap(([effect, patterns]) =>
      patterns.map(rule => [effect, describeRule(rule), 'rule']),
    );
    const grants = (await host.grants.list(conversation().id)).map(({ server, tool, scope, when }) => [
      'allow',
      `${server === NATIVE ? tool : `${server}/${tool}`}${when === undefined ? '' : `(${when})`}`,
      scope,
    ]);
    const waiting = host.unapproved.map(line => `does not count before you approve it (junctor trust list): ${line}`);
    const rows = [...rules, ...grants];
    say(
      [
        rows.length === 0 ? 'no rules: every call that is not trusted is asked about' : columns(HEAD, rows),
        ...waiting,
      ].join('\n'),
    );
  },
};

const HEAD = ['effect', 'what', 'from'];

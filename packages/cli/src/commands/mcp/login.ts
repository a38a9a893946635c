import { createHost, signIn } from '@junctor/core';
import { defineCommand } from '../../command.ts';
import { hostOptions } from '../../context.ts';
import { portNumber } from '../../number-option.ts';
import { SignInDialogue } from '../auth/sign-in-dialogue.ts';
import { signInWay } from '../auth/sign-in-way.ts';

export const mcpLogin = defineCommand({
  options: {
    account: { value: 'NAME', help: 'sign in to a further account of this server, kept beside the others' },
    scope: { value: 'SCOPES', help: 'what to ask for, words apart by spaces (default: what the server asks for)' },
    'no-browser': { help: 'open nothing: print the address, and take the one your browser ends on from stdin' },
    device: { help: 'sign in on another device, with a code that is printed here' },
    'callback-port': { value: 'PORT', help: 'wait for the browser on this port of 127.0.0.1 (default: a free one)' },
    yes: { help: 'open the browser without asking' },
  },
  details: [
    'You are asked before the browser opens. Over SSH, in a container or without a display nothing is opened: the',
    'address is printed, and you paste the one your browser ends on. BROWSER names the program that opens pages.',
    '',
    '  junctor mcp login github',
    '  junctor mcp login github --account work',
  ].join('\n'),
  async run(context, { options, words }) {
    const server = words[0] as string;
    const callbackPort = portNumber('callback-port', options['callback-port']);
    const way = signInWay({ device: options.device, noBrowser: options['no-browser'] }, context.surroundings);
    const dialogue = new SignInDialogue(context, server, way, options.yes);
    await using host = await createHost(hostOptions(context));
    const signedIn = await signIn(host, server, {
      ...dialogue.person,
      ...(options.account !== undefined && { account: options.account }),
      ...(options.scope !== undefined && { scope: options.scope }),
      ...(callbackPort !== undefined && { callbackPort }),
    });
    const { account, scope, expires_at } = signedIn;
    const facts = [account && `account ${account}`, scope && `scope ${scope}`, until(expires_at)].filter(Boolean);
    context.answer({
      json: { signed_in: true, ...signedIn },
      text: `signed in to '${server}'${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`,
    });
  },
});

function until(expiresAt: number | undefined): string | undefined {
  return expiresAt === undefined ? undefined : `until ${new Date(expiresAt).toISOString()}`;
}

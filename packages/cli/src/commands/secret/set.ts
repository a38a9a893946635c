import { checkSecretName, MAX_SECRET_BYTES } from '@junctor/core/config-write';
import { JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { secretsOf } from '../../config-files/secrets-of.ts';
import { takeSecret } from '../../output/prompt-secret.ts';

export const secretSet = defineCommand({
  details: [
    'The value is never an argument: other programs could see it there. Type it, or pipe it in:',
    '',
    '  junctor secret set github-token',
    '  junctor secret set github-token < token.txt',
    '',
    'A config file then names it: "headers": { "Authorization": "Bearer ${secret:github-token}" }',
    'It is sealed in a file. The key of that file lies in the OS keyring, else JUNCTOR_SECRET_KEY holds it, else a key',
    'file of yours; JUNCTOR_KEYRING=off passes the keyring over.',
  ].join('\n'),
  async run(context, { words: [name = '', ...more] }) {
    checkSecretName(name);
    if (more.length > 0) throw valueOnCommandLine(name);
    const value = await takeSecret(`Value of secret '${name}', not shown`, {
      signal: context.signal,
      maxBytes: MAX_SECRET_BYTES,
    });
    context.redactor.learn(value);
    const secrets = await secretsOf(context);
    await secrets.set(name, value);
    const key = await secrets.nextKey();
    const where = key === 'keyring' ? ', its key in the OS keyring' : '';
    context.answer({
      json: { name, store: 'file', key },
      text: `stored secret '${name}' in the encrypted file${where}`,
    });
  },
});

function valueOnCommandLine(name: string): JunctorError {
  return new JunctorError('usage', 'The value of a secret is not given on the command line.', {
    why: 'other programs can see it there, and your shell may have noted it by now',
    hint: `junctor secret set ${name}   and type it when asked, or pipe it in`,
  });
}

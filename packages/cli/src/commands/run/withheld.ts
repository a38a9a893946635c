/** Variables that hold credentials of servers. They are the hub's business: an agent that asks the hub needs none of them. */
import type { McpServerDef } from '@junctor/core/config-read';
import { parseTemplate } from '@junctor/core/config-write';
import { namesSecret } from '@junctor/core/light';

/** What opens Junctor's own secrets or the hub, or may hold servers with all they need. */
const OWN = ['JUNCTOR_SECRET_KEY', 'JUNCTOR_CONFIG_JSON', 'JUNCTOR_HUB_TOKEN'];

/** The names among `present` that an agent must not see. */
export function withheldVariables(definitions: Iterable<McpServerDef>, present: Iterable<string>): string[] {
  const secret = new Set([...OWN, ...[...definitions].flatMap(credentialVariables)]);
  return [...present].filter(name => secret.has(name)).sort();
}

/** Whatever goes into a header, an address or a sign-in is a credential; elsewhere its name, or that of its place, tells. */
function credentialVariables(definition: McpServerDef): string[] {
  const { env = {}, args = [] } = definition;
  const launched = [
    ...Object.entries(env).flatMap(([key, text]) =>
      variablesIn(text).filter(name => namesSecret(name) || namesSecret(key)),
    ),
    ...args.flatMap((text, index) =>
      variablesIn(text).filter(name => namesSecret(name) || namesSecret(args[index - 1] ?? '') || namesSecret(text)),
    ),
  ];
  if (definition.transport === 'stdio') return launched;
  const { url, headers = {}, oauth, bearer_token_env_var: bearer } = definition;
  const signIn = oauth ? Object.values(oauth).filter(text => typeof text === 'string') : [];
  const sent = [url, ...Object.values(headers), ...signIn].flatMap(variablesIn);
  return [...launched, ...sent, ...(bearer === undefined ? [] : [bearer])];
}

function variablesIn(text: string): string[] {
  return parseTemplate(text).flatMap(part => (part.kind === 'variable' ? part.name : []));
}

/** One server, as it is written: a program that is started, or an address; and what either may say besides. */
import * as z from 'zod/mini';
import { may, milliseconds, must, names, texts, variables } from './schema-words.ts';
import { ACCOUNT_NAME } from './server-words.ts';

/** What a server may say of its own, and `defaults` for all of them. */
export const timeouts = {
  connect_timeout_ms: may(milliseconds, 'How long starting and greeting may take. Default 60000.'),
  request_timeout_ms: may(milliseconds, 'How long a control request may take. Default 30000.'),
  tool_idle_timeout_ms: may(
    milliseconds,
    'How long a tool call may stay silent; progress starts it anew. Default 300000 (5 minutes), or the time for a whole call where one is written.',
  ),
  tool_timeout_ms: may(milliseconds, 'How long a tool call may take in all. Default 97200000 (27 hours).'),
  debug: may(z.boolean(), 'Log headers, bodies, arguments, results and timings, secrets masked.'),
};

/** What any server may say, however it is reached. */
const common = {
  enabled: may(z.boolean(), 'false keeps the server defined but never connected. Missing means true.'),
  trust: may(
    z.enum(['trusted', 'untrusted']),
    'Tools of a trusted server run without asking, unless a rule says ask or deny. Missing means untrusted.',
  ),
  mode: may(
    z.enum(['shared', 'per_session', 'auto']),
    'One instance for all sessions, or one each. auto: stdio per session, everything else shared.',
  ),
  tools: may(
    z.strictObject({
      allow: may(names, 'Only these tools are offered; globs on the names the server uses.'),
      deny: may(names, 'These tools are not offered, even if allowed.'),
    }),
    'Which of its tools exist for anybody.',
  ),
  methods: may(
    names,
    'Methods beyond the protocol that the hub forwards at /servers/<id>/mcp, such as acme/*. Default: none.',
  ),
  ...timeouts,
  tool_timeouts_ms: may(
    z.record(z.string(), milliseconds),
    'How long calls of single tools may take in all, by the names the server uses.',
  ),
  max_message_bytes: may(
    z.int().check(z.positive()),
    'A larger message fails its own request and nothing else. Default 134217728 (128 MiB).',
  ),
  protocol: may(
    z.enum(['auto', 'legacy', 'modern']),
    'Which era of MCP to speak: legacy up to 2025-11-25, modern from 2026-07-28. Default auto.',
  ),
  meta: may(
    z.strictObject({
      name: may(z.string(), 'What people call it.'),
      description: may(z.string(), 'What it is for.'),
      url: may(z.string(), 'Where to read more.'),
      icon: may(z.string(), 'A picture, as a URL.'),
    }),
    'How to show the server to people.',
  ),
};

const launch = {
  args: may(z.array(z.string()), 'Arguments, passed as they are: no shell reads them.'),
  cwd: may(z.string().check(z.minLength(1)), 'Directory the program starts in. Default: where Junctor was started.'),
  env: may(variables, 'Variables added to a small safe set; nothing else of your environment is passed on.'),
};

/** A program that is talked to through pipes. */
export const StdioServer = z.strictObject({
  transport: must(z.literal('stdio'), 'A program that speaks MCP on its standard input and output.'),
  command: must(z.string().check(z.minLength(1)), 'Program to start, found on PATH or given as a path.'),
  ...launch,
  ...common,
});

const OAuth = z.strictObject({
  authorization_url: may(z.string(), 'Where a person signs in.'),
  token_url: may(z.string(), 'Where tokens are fetched.'),
  registration_url: may(z.string(), 'Where a client registers.'),
  client_id: may(z.string(), 'A client that is registered already.'),
  client_secret: may(z.string(), 'Its secret; better a reference, ${secret:NAME}.'),
  scope: may(z.string(), 'What to ask for, words apart by spaces.'),
  grant_type: may(
    z.enum(['authorization_code', 'client_credentials']),
    'client_credentials: a machine signs in with its own client, without a person. Default authorization_code.',
  ),
  private_key: may(
    z.string(),
    'PEM key with which the client signs in place of a secret; better a reference, ${secret:NAME}.',
  ),
  token_endpoint_auth_method: may(
    z.enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']),
    'How the client shows who it is. Default: what the authorization server supports.',
  ),
  issuer: may(z.string(), 'The authorization server to trust. Any other is refused.'),
  resource: may(
    z.string(),
    'Resource to ask a token for. Default: what the server says, else its url. Empty: none is named.',
  ),
  redirect_uri: may(
    z.string(),
    'Loopback address that is registered for the client. Default: http://127.0.0.1 on a free port.',
  ),
  client_metadata_url: may(
    z.string(),
    'https address of a client id metadata document, used where the authorization server takes them.',
  ),
  allow_private: may(
    z.boolean(),
    'true: the server may lead to an authorization server at a private or loopback address, though it is at none itself.',
  ),
});

/** A server at an address. */
export const RemoteServer = z.strictObject({
  transport: must(
    z.enum(['http', 'streamable_http', 'sse', 'ws']),
    'http (or streamable_http): Streamable HTTP. sse: the older HTTP+SSE. ws: WebSocket.',
  ),
  url: must(z.string().check(z.minLength(1)), 'The endpoint.'),
  headers: may(texts, 'Headers sent with every request.'),
  oauth: may(
    z.union([z.literal(false), OAuth]),
    'Endpoints and client for signing in, where they cannot be discovered. false: never sign in.',
  ),
  bearer_token_env_var: may(
    z.string().check(z.minLength(1)),
    'Name of an environment variable whose value is sent as Authorization: Bearer.',
  ),
  auth_provider: may(z.string().check(z.minLength(1)), 'Id of an auth provider that an embedding program passes in.'),
  account: may(
    z.string().check(z.regex(ACCOUNT_NAME)),
    'Which of several sign-ins to use: the name given to mcp login --account. Default: the one without a name.',
  ),
  command: may(
    z.string().check(z.minLength(1)),
    'Program that serves the url; Junctor starts it and waits until it answers.',
  ),
  ...launch,
  ...common,
});

export const ServerDef = z.discriminatedUnion('transport', [StdioServer, RemoteServer]);

/** One server that passed the schema. To write one down, `McpServerInput` is the better type. */
export type McpServerDef = z.infer<typeof ServerDef>;
export type RemoteServerDef = z.infer<typeof RemoteServer>;
export type OAuthDef = z.infer<typeof OAuth>;

// The points of the page "Security best practices" of the MCP specification, and how Junctor answers each.

export const BEST_PRACTICES = [
  {
    point: 'Confused deputy',
    answer:
      'Junctor is no authorization server and registers no client for strangers: it has no consent that a second client could reuse. Each server has a client, a `state` and a PKCE verifier of its own, and a person is asked before the browser opens.',
    proofs: ['9.5m', '2.3f', '2.3i'],
  },
  {
    point: 'Token passthrough',
    answer:
      'The token and the cookie of a client end at the hub. A server gets its own sign-in, whose token was issued for it.',
    proofs: ['12.6p', '2.3g', '9.9a'],
  },
  {
    point: 'Server-side request forgery',
    answer:
      'While it finds out how to sign in, Junctor follows a server to no private, loopback, link-local or metadata address, and connects to the address that was checked.',
    proofs: ['10.8o', '10.8p'],
  },
  {
    point: 'Session hijacking',
    answer:
      'A session id is random and opens nothing without the token that opened the session, at that endpoint. Questions and tasks go to the session they belong to.',
    proofs: ['12.6p', '7.2d', '7.2h', '11.1c'],
  },
  {
    point: 'Local server compromise',
    answer:
      'A server of a project starts only once a person approved its whole definition; executors confine programs; `mcp-server --http` and the hub need a token on loopback, too.',
    proofs: ['1.13a', '12.6h', '12.6f', '5.5r'],
  },
  {
    point: 'Scope minimisation',
    answer:
      'A sign-in asks for what the config or the challenge names, and for more only when a call needs it. A token of an agent opens its own endpoints; one of a monitor `/metrics` alone.',
    proofs: ['2.3k', '2.3m', '9.5e', '9.5g', 'e2e/hub/metrics-token.test.ts'],
  },
  {
    point: 'OAuth metadata and redirects',
    answer:
      'Metadata without PKCE, with plain http or with another issuer is refused; tokens are bound to their issuer.',
    proofs: ['10.8p', '9.9b'],
  },
  {
    point: 'DNS rebinding, Host and Origin',
    answer: 'Requests with another Host or Origin are refused at every endpoint.',
    proofs: ['9.5q', '9.5r', '12.6f'],
  },
  {
    point: 'Tools whose descriptions mislead or change',
    answer: 'Texts of untrusted servers are cleaned and marked; a lockfile holds back tools that changed.',
    proofs: ['9.7h', 'packages/core/src/permissions/lockfile/lockfile.test.ts'],
  },
];

import type { CommandRow } from '../command.ts';

/** Every command, in the order help shows them. */
export const COMMANDS: readonly CommandRow[] = [
  {
    words: ['mcp', 'add'],
    positionals: ['ID', '[-- PROGRAM ARGS…]'],
    summary: 'Write a server into the project or user config.',
    load: async () => (await import('./mcp/add.ts')).mcpAdd,
  },
  {
    words: ['mcp', 'list'],
    summary: 'List the configured servers. Nothing is started.',
    load: async () => (await import('./mcp/list.ts')).mcpList,
  },
  {
    words: ['mcp', 'get'],
    positionals: ['ID'],
    summary: 'Show the definition of one server, secrets masked.',
    load: async () => (await import('./mcp/get.ts')).mcpGet,
  },
  {
    words: ['mcp', 'remove'],
    positionals: ['ID'],
    summary: 'Take a server out of the project or user config.',
    load: async () => (await import('./mcp/remove.ts')).mcpRemove,
  },
  {
    words: ['mcp', 'enable'],
    positionals: ['ID'],
    summary: 'Switch a server on.',
    load: async () => (await import('./mcp/switch.ts')).mcpEnable,
  },
  {
    words: ['mcp', 'disable'],
    positionals: ['ID'],
    summary: 'Switch a server off; its definition stays.',
    load: async () => (await import('./mcp/switch.ts')).mcpDisable,
  },
  {
    words: ['mcp', 'test'],
    positionals: ['ID'],
    summary: 'Try a server step by step: connect, initialize, tools/list.',
    load: async () => (await import('./mcp/test.ts')).mcpTest,
  },
  {
    words: ['mcp', 'tools'],
    positionals: ['[SERVER]'],
    summary: 'Connect and list the tools of one server, or of all.',
    load: async () => (await import('./mcp/tools.ts')).mcpTools,
  },
  {
    words: ['mcp', 'call'],
    positionals: ['SERVER', 'TOOL'],
    summary: 'Call one tool and print its result.',
    load: async () => (await import('./mcp/call.ts')).mcpCall,
  },
  {
    words: ['mcp', 'login'],
    positionals: ['ID'],
    summary: 'Sign in to a server, in the browser. You are asked before it opens.',
    load: async () => (await import('./mcp/login.ts')).mcpLogin,
  },
  {
    words: ['mcp', 'logout'],
    positionals: ['ID'],
    summary: 'Sign out of a server: its token is removed.',
    load: async () => (await import('./mcp/logout.ts')).mcpLogout,
  },
  {
    words: ['mcp', 'import'],
    positionals: ['[FROM…]'],
    summary: 'Copy servers from the files of other agents into yours.',
    load: async () => (await import('./mcp/import.ts')).mcpImport,
  },
  {
    words: ['mcp', 'export'],
    positionals: ['AGENT'],
    summary: 'Print or write your servers in the format of an agent.',
    load: async () => (await import('./mcp/export.ts')).mcpExport,
  },
  {
    words: ['search'],
    positionals: ['[QUERY…]'],
    summary: 'Find the tools that fit what you want to do, best first.',
    load: async () => (await import('./search/search.ts')).search,
  },
  {
    words: ['auth', 'status'],
    positionals: ['[ID]'],
    summary: 'Show where you are signed in, and until when.',
    load: async () => (await import('./auth/status.ts')).authStatusCommand,
  },
  {
    words: ['validate'],
    positionals: ['[FILE…]'],
    summary: 'Check config files without starting anything.',
    load: async () => (await import('./validate.ts')).validate,
  },
  {
    words: ['doctor'],
    positionals: ['[SERVER]'],
    summary: 'Try one server, or all, step by step, and say how to mend what is wrong.',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    words: ['explain'],
    positionals: ['SERVER[/TOOL]'],
    summary:
      'Show which layer, file and line set each field of a server, or why a tool is there, hidden, asked or denied.',
    load: async () => (await import('./explain/explain.ts')).explain,
  },
  {
    words: ['preflight'],
    positionals: ['TOOL…'],
    summary: 'Say whether an agent on an executor will have these tools; the exit code tells it to programs.',
    load: async () => (await import('./explain/preflight.ts')).preflight,
  },
  {
    words: ['trust'],
    summary: 'Show which servers of this project wait for your approval, and what you allowed for always.',
    load: async () => (await import('./trust/trust.ts')).trustList,
  },
  {
    words: ['trust', 'list'],
    summary: 'The same.',
    load: async () => (await import('./trust/trust.ts')).trustList,
  },
  {
    words: ['trust', 'add'],
    positionals: ['[ID…]'],
    summary: 'Approve servers that came with a project: they may start from now on.',
    load: async () => (await import('./trust/trust.ts')).trustAdd,
  },
  {
    words: ['trust', 'remove'],
    positionals: ['[ID[/TOOL]]'],
    summary: 'Withdraw an approval: the server does not start again, or the tool is asked about again.',
    load: async () => (await import('./trust/trust.ts')).trustRemove,
  },
  {
    words: ['lock'],
    summary: 'Write junctor.lock: the tools of today are approved, changed and new ones are hidden.',
    load: async () => (await import('./lock/lock.ts')).lockWrite,
  },
  {
    words: ['lock', 'diff'],
    summary: 'Show what servers and tools differ from junctor.lock.',
    load: async () => (await import('./lock/diff.ts')).lockDiff,
  },
  {
    words: ['lock', 'approve'],
    positionals: ['[SERVER[/TOOL]…]'],
    summary: 'Approve what differs: those tools are offered from now on.',
    load: async () => (await import('./lock/approve.ts')).lockApprove,
  },
  {
    words: ['secret', 'set'],
    // Open at its end: a value given here by mistake must reach our own refusal, which does not repeat it.
    positionals: ['NAME', '[< FILE…]'],
    summary: 'Store a secret. Its value is typed unseen, or read from stdin.',
    load: async () => (await import('./secret/set.ts')).secretSet,
  },
  {
    words: ['secret', 'list'],
    summary: 'List the names of stored secrets, and where each lies. Values are never shown.',
    load: async () => (await import('./secret/list.ts')).secretList,
  },
  {
    words: ['secret', 'remove'],
    positionals: ['NAME'],
    summary: 'Remove a secret. Servers that name it are off until it is set again.',
    load: async () => (await import('./secret/remove.ts')).secretRemove,
  },
  {
    words: ['connect'],
    positionals: ['AGENT'],
    summary: 'Speak MCP on stdin and stdout for an agent, and carry it to the hub; one is started if none runs.',
    load: async () => (await import('./connect/connect.ts')).connect,
  },
  {
    words: ['hub'],
    summary: 'Serve every configured server to every agent, until Ctrl-C.',
    load: async () => (await import('./hub/serve.ts')).hubServe,
  },
  {
    words: ['hub', 'token'],
    summary: 'Make a token for a person, or for one agent. It is shown once.',
    load: async () => (await import('./hub/token.ts')).hubToken,
  },
  {
    words: ['hub', 'status'],
    summary: 'Say whether a hub runs, and where.',
    load: async () => (await import('./hub/status.ts')).hubStatus,
  },
  {
    words: ['hub', 'page'],
    summary: 'Print an address that opens the page of the running hub, once, without a token.',
    load: async () => (await import('./hub/page.ts')).hubPage,
  },
  {
    words: ['hub', 'stop'],
    summary: 'End the running hub and its servers.',
    load: async () => (await import('./hub/stop.ts')).hubStop,
  },
  {
    words: ['approvals'],
    summary: 'List the calls of all agents that wait for a yes in the running hub.',
    load: async () => (await import('./approvals/list.ts')).approvalsList,
  },
  {
    words: ['approvals', 'answer'],
    positionals: ['ID', 'VERDICT'],
    summary: 'Allow a waiting call once, for the session or for always, or deny it.',
    load: async () => (await import('./approvals/answer.ts')).approvalsAnswer,
  },
  {
    words: ['approvals', 'grants'],
    positionals: ['[SERVER]'],
    summary: 'Show what was allowed for always at the hub.',
    load: async () => (await import('./approvals/grants.ts')).approvalsGrants,
  },
  {
    words: ['approvals', 'revoke'],
    positionals: ['ID'],
    summary: 'Take back what was allowed for always at the hub.',
    load: async () => (await import('./approvals/grants.ts')).approvalsRevoke,
  },
  {
    words: ['run'],
    positionals: ['AGENT', '[-- ARGS…]'],
    summary: 'Start an agent with the servers of the hub, for this run only.',
    load: async () => (await import('./run/run.ts')).run,
  },
  {
    words: ['stats'],
    positionals: ['[SERVER]'],
    summary: 'Show how often each tool was called, how it went, and what it costs.',
    load: async () => (await import('./stats.ts')).stats,
  },
  {
    words: ['calls'],
    summary: 'List the calls that passed the running hub, and what became of each.',
    load: async () => (await import('./calls.ts')).calls,
  },
  {
    words: ['sessions'],
    summary: 'List who is connected to the running hub, and who shares which server.',
    load: async () => (await import('./sessions.ts')).sessions,
  },
  {
    words: ['record'],
    positionals: ['SERVER', 'FILE'],
    summary: 'Speak MCP for a server on stdin and stdout, and write all of it to a file.',
    load: async () => (await import('./record.ts')).record,
  },
  {
    words: ['replay'],
    positionals: ['FILE'],
    summary: 'Answer like the server that was recorded, without it.',
    load: async () => (await import('./replay.ts')).replay,
  },
  {
    words: ['chat'],
    summary: 'Talk to an agent that uses your servers and works in this folder.',
    load: async () => (await import('./chat/chat.ts')).chat,
  },
  {
    words: ['mcp-server'],
    summary: 'Serve the agent of chat as an MCP server, on stdin and stdout or over HTTP.',
    load: async () => (await import('./mcp-server.ts')).mcpServer,
  },
  {
    words: ['test-server'],
    summary: 'Start an MCP server to try a host with: tools, resources, prompts, questions and tasks.',
    load: async () => (await import('./test-server.ts')).testServer,
  },
  {
    words: ['completion'],
    positionals: ['SHELL'],
    summary: 'Print a completion script for bash, zsh or fish.',
    load: async () => (await import('./completion/completion.ts')).completion,
  },
];

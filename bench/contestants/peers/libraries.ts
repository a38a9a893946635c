/** Host libraries that people use today, each as its own documentation says. */
import { aiSdk } from './ai-sdk.ts';
import { langchain } from './langchain.ts';
import { mastra } from './mastra.ts';
import { mcpUse } from './mcp-use.ts';
import { mcporter } from './mcporter.ts';
import { openaiAgents } from './openai-agents.ts';
import type { PeerLibrary } from './peer.ts';
import { sdk1 } from './sdk1.ts';

export const peerLibraries: readonly PeerLibrary[] = [sdk1, aiSdk, mcpUse, mcporter, langchain, mastra, openaiAgents];

/** A server of the official SDK whose tools run as tasks, in the way of 2025-11-25. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ElicitResultSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const taskStore = new InMemoryTaskStore();
const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
const server = new Server(
  { name: 'tasks', version: '1' },
  { capabilities: { tools: {}, tasks }, taskStore, taskMessageQueue: new InMemoryTaskMessageQueue() },
);

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

const SUPPORT = { work: 'required', maybe: 'optional', states: 'forbidden' } as const;

server.setRequestHandler(ListToolsRequestSchema, async () => ({
  tools: Object.entries(SUPPORT).map(([name, taskSupport]) => ({
    name,
    inputSchema: { type: 'object' as const },
    execution: { taskSupport },
  })),
}));

server.setRequestHandler(
  CallToolRequestSchema,
  async ({ params }, { taskStore: store, taskRequestedTtl, sendRequest }) => {
    const { name, arguments: args = {}, task } = params;
    const ms = Number(args.ms);
    if (name === 'states') {
      const known = await taskStore.listTasks();
      return text(JSON.stringify(known.tasks.map(({ status, ttl }) => ({ status, ttl }))));
    }
    if (!task) return name === 'maybe' ? text('worked at once') : { ...text('only as a task'), isError: true };
    if (!store) throw new Error('the SDK made no store');
    const { taskId } = await store.createTask({ ttl: taskRequestedTtl ?? null, pollInterval: 50 });
    const run = async (): Promise<void> => {
      await store.updateTaskStatus(taskId, 'working', 'half way');
      let said = '';
      if (args.how === 'asking') {
        await store.updateTaskStatus(taskId, 'input_required');
        const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
        const request = { method: 'elicitation/create' as const, params: { message: 'Who?', requestedSchema } };
        const related = { relatedTask: { taskId } } as object;
        const { content } = await sendRequest(request, ElicitResultSchema, related);
        said = ` for ${content?.name}`;
        await store.updateTaskStatus(taskId, 'working');
      }
      await sleep(ms);
      if (args.how === 'broken') await store.updateTaskStatus(taskId, 'failed', 'the disk is full');
      else if (args.how === 'failing')
        await store.storeTaskResult(taskId, 'failed', { ...text('no luck'), isError: true });
      else await store.storeTaskResult(taskId, 'completed', text(`worked ${ms} ms${said}`));
    };
    // A task that was cancelled meanwhile takes no result.
    run().catch(() => {});
    return { task: await store.getTask(taskId) };
  },
);

await server.connect(new StdioServerTransport());
process.stdin.on('end', () => taskStore.cleanup());

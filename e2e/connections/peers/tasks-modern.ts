/** A server whose tools run as tasks, in the way of the 2026-07-28 extension. The official SDK has none yet. */
import { createInterface } from 'node:readline';

type Params = Record<string, unknown> & { taskId?: string; arguments?: { how?: string; ms?: number } };
interface Task {
  readonly state: Record<string, unknown>;
  readonly timer?: NodeJS.Timeout;
}

const tasks = new Map<string, Task>();
const heard: string[] = [];
const EXTENSION = 'io.modelcontextprotocol/tasks';
const text = (value: string) => ({ resultType: 'complete', content: [{ type: 'text', text: value }] });

const answers: Record<string, (params: Params) => object> = {
  'server/discover': () => ({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, extensions: { [EXTENSION]: {} } },
    serverInfo: { name: 'tasks', version: '2' },
  }),
  'tools/list': () => ({
    resultType: 'complete',
    tools: ['work', 'heard'].map(name => ({ name, inputSchema: { type: 'object' } })),
  }),
  'tools/call': ({ name, arguments: { how, ms = 0 } = {} }) => {
    if (name === 'heard') return text(JSON.stringify(heard));
    const taskId = `task-${tasks.size + 1}`;
    const at = new Date().toISOString();
    const state: Record<string, unknown> = {
      taskId,
      status: 'working',
      createdAt: at,
      lastUpdatedAt: at,
      ttlMs: null,
      pollIntervalMs: 10,
    };
    const ticket = { ...state, resultType: 'task' };
    const done = (): void => void Object.assign(state, outcome(how));
    if (how !== 'asking') tasks.set(taskId, { state, timer: setTimeout(done, ms) });
    else {
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
      const name = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema } };
      tasks.set(taskId, {
        state: Object.assign(state, {
          status: 'input_required',
          inputRequests: { name, roots: { method: 'roots/list' } },
        }),
      });
    }
    return ticket;
  },
  'tasks/get': ({ taskId = '' }) => ({ resultType: 'complete', ...tasks.get(taskId)?.state }),
  'tasks/update': ({ taskId = '', inputResponses }) => {
    const { state } = tasks.get(taskId) as Task;
    // As a slow server would: the questions stand for a while after they were answered.
    setTimeout(() => {
      delete state.inputRequests;
      Object.assign(state, { status: 'completed', result: text(JSON.stringify(inputResponses)) });
    }, 50);
    return { resultType: 'complete' };
  },
  'tasks/cancel': ({ taskId = '' }) => {
    const { state, timer } = tasks.get(taskId) as Task;
    clearTimeout(timer);
    state.status = 'cancelled';
    return { resultType: 'complete' };
  },
};

function outcome(how: string | undefined): object {
  if (how === 'broken') return { status: 'failed', error: { code: -32603, message: 'the disk is full' } };
  if (how === 'dropped') return { status: 'cancelled', statusMessage: 'no time for this' };
  const result = how === 'failing' ? { ...text('no luck'), isError: true } : text('worked');
  return { status: 'completed', result };
}

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method.startsWith('tasks/')) heard.push(`${method} ${params.taskId}`);
  const known = params._meta?.['io.modelcontextprotocol/clientCapabilities']?.extensions?.[EXTENSION];
  const answer = answers[method];
  const needsTasks = method.startsWith('tasks/') || params.name === 'work';
  const lacking = {
    code: -32021,
    message: 'no tasks',
    data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
  };
  const none = { code: -32601, message: `no ${method}` };
  const said = !answer ? { error: none } : needsTasks && !known ? { error: lacking } : { result: answer(params) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...said })}\n`);
});

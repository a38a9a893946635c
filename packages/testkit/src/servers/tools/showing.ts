/** Tools whose results are more than text, and one that writes to the client's log. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PNG, wav } from '../offer/media.ts';
import { LOG_LEVELS } from '../protocol/log-level.ts';
import { constant, object, type TestTool, text } from './tool.ts';

export const imageContent = (): object => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] });

export const audioContent = (): object => ({ content: [{ type: 'audio', data: wav(), mimeType: 'audio/wav' }] });

const log: TestTool = {
  definition: {
    name: 'log',
    description: 'Sends a line to the log of the client, at the level it is given.',
    inputSchema: object({
      level: { type: 'string', enum: LOG_LEVELS, description: 'How urgent it is; without it, info' },
      message: { type: 'string', description: 'What to log' },
    }),
  },
  run(args, context) {
    const level = String(args.level ?? 'info');
    context.log(level, String(args.message ?? `a line at level ${level}`));
    return text(`logged at level ${level}`);
  },
};

const taskSlow: TestTool = {
  definition: {
    name: 'task_slow',
    description: 'Takes 5 seconds, in a task where the client knows tasks.',
    inputSchema: object({ ms: { type: 'integer', description: 'How long to take instead', minimum: 0 } }),
  },
  taskSupport: 'optional',
  run(args, { inTask }) {
    const ms = typeof args.ms === 'number' ? args.ms : 5000;
    return inTask(async ({ signal }) => {
      await sleep(ms, undefined, { signal });
      return text(`waited ${ms} ms`);
    });
  },
};

export const showingTools: readonly TestTool[] = [
  constant('image', 'Returns a picture: one red pixel.', imageContent),
  constant('audio', 'Returns a sound: a tenth of a second of the note A.', audioContent),
  log,
  taskSlow,
];

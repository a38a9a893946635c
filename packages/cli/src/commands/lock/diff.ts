import { defineCommand } from '../../command.ts';
import { diffText, inspectionDocument, sizeOf } from './describe.ts';
import { expectLock, inspect, tellFailures } from './inspect.ts';

export const lockDiff = defineCommand({
  details: `Asks the servers what they offer and compares it with junctor.lock. Nothing is changed.
exit codes: 0 the same, 3 something waits for approval, 1 a server could not be asked`,
  async run(context) {
    const found = await inspect(context);
    expectLock(found);
    const { file, changes } = found;
    context.answer({
      json: inspectionDocument(found),
      text: changes.length === 0 ? `nothing differs from ${file}: ${sizeOf(found)}` : diffText(changes),
    });
    const code = tellFailures(context, found, 'so it is not compared');
    return changes.length > 0 && code !== 1 ? 3 : code;
  },
});

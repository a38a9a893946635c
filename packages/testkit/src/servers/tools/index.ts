/** All tools of the test server, in the order it lists them. */
import type { TestServerOptions } from '../options.ts';
import { askingTools } from './asking.ts';
import { changingTools, sandboxState } from './changing.ts';
import { contentFixtures } from './fixtures/content.ts';
import { inputRequiredFixtures } from './fixtures/input-required.ts';
import { talkingFixtures } from './fixtures/talking.ts';
import { taskFixtures } from './fixtures/tasks.ts';
import { filler, plainTools } from './plain.ts';
import { showingTools } from './showing.ts';
import type { TestTool } from './tool.ts';

const fixtures = [...contentFixtures, ...talkingFixtures, ...inputRequiredFixtures, ...taskFixtures];

/** The named tools, and numbered ones until there are as many as asked for. */
export function testTools(options: TestServerOptions): TestTool[] {
  const tools = [
    ...plainTools,
    ...askingTools,
    ...showingTools,
    ...changingTools,
    ...(options.sandboxState ? [sandboxState] : []),
    ...(options.fixtures ? fixtures : []),
  ];
  while (tools.length < (options.tools ?? 0)) tools.push(filler(tools.length));
  return tools;
}

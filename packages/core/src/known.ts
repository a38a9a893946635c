/** What is known of servers without talking to one, for Junctor's own commands: nothing that opens connections is loaded. */
export { describeFit, type FitReport } from './catalogue/fit-report.ts';
export { NAMING_STRATEGIES } from './catalogue/naming/strategy.ts';
export { type FoundTool, type SearchableTool, ToolIndex } from './catalogue/search/tool-index.ts';
export { describeProblem } from './config/problem.ts';
export { type KnownTools, knownTools } from './known-tools.ts';
export { type ToolStatistics, type UsageReport, usageReport } from './statistics.ts';

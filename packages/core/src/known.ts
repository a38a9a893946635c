/** What is known of servers without talking to one, for Junctor's own commands: nothing that opens connections is loaded. */
export { describeFit, type FitReport } from './catalogue/fit-report.ts';
export { NAMING_STRATEGIES } from './catalogue/naming/strategy.ts';
export { type FoundTool, type SearchableTool, ToolIndex } from './catalogue/search/tool-index.ts';
export { wordVectorsOnDemand } from './catalogue/search/word-vectors-file.ts';
export { isEnabled } from './config/layers.ts';
export { describeProblem } from './config/problem.ts';
export { idlePatterns } from './config/tool-filter.ts';
export { explainTool, type ToolExplanation } from './diagnostics/explain/explain-tool.ts';
export type { ToolFacts } from './diagnostics/explain/facts.ts';
export { knownFacts } from './diagnostics/explain/known-facts.ts';
export type { Origin } from './diagnostics/explain/origin.ts';
export { type CheckedTool, type Preflight, preflight, toolMeant } from './diagnostics/explain/preflight.ts';
export { type KnownTools, knownTools } from './host/lists/known-tools.ts';
export { type ToolStatistics, type UsageReport, usageReport } from './host/statistics.ts';

/** A scripted model for tests of everything that talks to one. */
export { type ScriptedModel, startModel } from './start-model.ts';
export type { ModelRequest, Script, ScriptedCall, Turn } from './turn.ts';

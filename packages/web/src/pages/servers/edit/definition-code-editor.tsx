/** The editor of a definition, with the schema it knows: one file to load. */
import published from '@junctor/core/junctor.schema.json';
import CodeEditor, { type CodeEditorProps } from '../../../parts/json-editor/code-editor.tsx';
import type { JsonSchema } from '../../../parts/json-editor/json-schema.ts';

const { stdio, remote } = published.$defs as Record<'stdio' | 'remote', JsonSchema>;
const SCHEMA: JsonSchema = { anyOf: [stdio, remote] };

export default function DefinitionCodeEditor(props: Omit<CodeEditorProps, 'schema'>) {
  return <CodeEditor schema={SCHEMA} {...props} />;
}

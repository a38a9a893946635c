/** The editor of an agent's list, with all it needs: one file to load. */
import CodeEditor, { type CodeEditorProps } from '../../parts/json-editor/code-editor.tsx';
import { LIST_SCHEMA } from './list-schema.ts';

export default function ListCodeEditor(props: Omit<CodeEditorProps, 'schema' | 'label'>) {
  return <CodeEditor label="Servers as JSON" schema={LIST_SCHEMA} {...props} />;
}

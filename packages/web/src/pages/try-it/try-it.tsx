/** Calls a tool by hand, through the hub: the rules hold, and the call stands in the activity like any other. */
import type { ErrorAnswer, Tool } from '@junctor/hub/answers';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { changeInLines, HubError } from '../../api/client.ts';
import { inProject } from '../../api/project.ts';
import { Button } from '../../parts/button.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Failure } from '../../parts/notice.tsx';
import { ArgumentField } from './argument-field.tsx';
import { argumentsIn, fieldsOf, type Written } from './fields.ts';
import { ResultView, type ShownResult } from './result-view.tsx';

interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

interface Line extends Partial<ErrorAnswer> {
  readonly progress?: Progress;
  readonly result?: ShownResult;
}

export function TryIt({ tool }: { tool: Tool }) {
  const fields = fieldsOf(tool.inputSchema);
  const [written, setWritten] = useState<Written>({});
  const [progress, setProgress] = useState<Progress>();
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);
  const run = useMutation({
    mutationFn: async () => {
      setProgress(undefined);
      leaving.current = new AbortController();
      return called(tool, argumentsIn(fields, written), setProgress, leaving.current.signal);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run.mutate();
  };
  return (
    <>
      <form className="flex max-w-xl flex-col gap-3" onSubmit={submit}>
        {fields.map(field => (
          <ArgumentField
            key={field.name}
            field={field}
            value={written[field.name] ?? ''}
            onWrite={value => setWritten({ ...written, [field.name]: value })}
          />
        ))}
        <div className="flex items-center gap-3">
          <Button type="submit" className="font-medium" disabled={run.isPending}>
            Run
          </Button>
          {run.isPending && <Button onClick={() => leaving.current?.abort()}>Give up</Button>}
          <span role="status" className="text-sm text-quiet">
            {run.isPending && <Foreign text={progress ? said(progress) : 'Running …'} most={400} />}
          </span>
        </div>
      </form>
      {run.error && !leaving.current?.signal.aborted && (
        <div className="mt-3">
          <Failure error={run.error} />
        </div>
      )}
      {run.data && !run.isPending && <ResultView result={run.data} />}
    </>
  );
}

async function called(
  { server, tool }: Tool,
  args: object,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<ShownResult> {
  let last: Line = {};
  const onLine = (line: Line): void => {
    last = line;
    if (line.progress) onProgress(line.progress);
  };
  await changeInLines<Line>(inProject('/api/calls'), { body: { server, tool, arguments: args }, onLine, signal });
  if (last.result) return last.result;
  throw new HubError(0, last.error ?? { message: 'The hub ended before the answer came.' });
}

function said({ progress, total, message }: Progress): string {
  return `${progress}${total === undefined ? '' : ` of ${total}`}${message === undefined ? '' : `: ${message}`}`;
}

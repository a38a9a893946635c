/** Logging in to a server: the hub asks its provider for a page, the person goes there and comes back to the hub's machine. */
import type { SignInPage } from '@junctor/hub/answers';
import { useMutation } from '@tanstack/react-query';
import { ask, change } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Command } from '../../parts/command.tsx';
import { Failure } from '../../parts/notice.tsx';

export function SignIn({ id }: { id: string }) {
  const path = `/api/servers/${encodeURIComponent(id)}/sign-in`;
  const over = useMutation({ mutationFn: () => ask(path) });
  const begin = useMutation({
    mutationFn: () => change<SignInPage>(path, { method: 'POST' }),
    onMutate: () => over.reset(),
    onSuccess: () => over.mutate(),
  });
  const url = over.isPending ? begin.data?.url : undefined;
  const error = begin.error ?? over.error;
  return (
    <div className="mb-4 rounded-lg border border-line bg-card p-4">
      {url ? (
        <>
          <p>
            <a className="text-accent underline" href={url} target="_blank" rel="noopener noreferrer">
              Go on at {new URL(url).host}
            </a>
            , which opens beside this page. Look at its address before you write a password.
          </p>
          <p className="mt-2 text-sm text-quiet">
            Your browser comes back to the machine of the hub. If it runs on another one, log in there:{' '}
            <Command words={`mcp login ${id}`} kind="with_config" />
          </p>
        </>
      ) : (
        <Button className="font-medium" disabled={begin.isPending} onClick={() => begin.mutate()}>
          Log in to {id}
        </Button>
      )}
      {error && (
        <div className="mt-3">
          <Failure error={error} />
        </div>
      )}
    </div>
  );
}

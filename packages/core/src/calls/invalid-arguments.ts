import { isJunctorError, type JunctorError } from '../base/error.ts';
import { RPC_CODE } from '../base/rpc-code.ts';

/** Whether a server would not take the arguments of a call, and said so with the code that is for that. */
export function isInvalidArguments(error: unknown): error is JunctorError {
  return isJunctorError(error, 'server_error') && (error.cause as { code?: unknown }).code === RPC_CODE.invalidParams;
}

/** Options of a program whose names say that they hold a secret: `--token abc` and `--token=abc`. Pure. */
import { namesSecret } from '../../base/log/redact.ts';

/** `replace` gets the name of the option without its dashes, and the value. All other words go through `other`. */
export function replaceSecretOptions(
  args: readonly string[],
  replace: (name: string, value: string) => string,
  other: (arg: string) => string = arg => arg,
): string[] {
  return args.map((arg, index) => {
    const at = arg.startsWith('-') ? arg.indexOf('=') : -1;
    const flag = at < 0 ? undefined : arg.slice(0, at);
    if (flag !== undefined && at + 1 < arg.length && namesSecret(flag))
      return `${flag}=${replace(bare(flag), arg.slice(at + 1))}`;
    const before = args[index - 1] ?? '';
    const follows = before.startsWith('-') && !before.includes('=') && namesSecret(before) && !arg.startsWith('-');
    return follows ? replace(bare(before), arg) : other(arg);
  });
}

export function secretOptions(args: readonly string[]): string[] {
  const found: string[] = [];
  replaceSecretOptions(args, (_name, value) => {
    found.push(value);
    return value;
  });
  return found;
}

function bare(flag: string): string {
  return flag.replace(/^-+/, '');
}

import type { ButtonHTMLAttributes } from 'react';

export function Button({ className = '', ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      {...rest}
      className={`rounded border border-line bg-card px-3 py-1.5 hover:bg-accent/10 disabled:opacity-50 ${className}`}
    />
  );
}

/** Light or dark: as the system says, until a person says otherwise. */
import { useEffect, useState } from 'react';

type Theme = 'light' | 'dark';

const KEY = 'junctor-theme';

export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => chosen() ?? ofSystem());
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const toggle = (): void => {
    const other = theme === 'dark' ? 'light' : 'dark';
    localStorage.setItem(KEY, other);
    setTheme(other);
  };
  return [theme, toggle];
}

function chosen(): Theme | undefined {
  const word = localStorage.getItem(KEY);
  return word === 'light' || word === 'dark' ? word : undefined;
}

function ofSystem(): Theme {
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

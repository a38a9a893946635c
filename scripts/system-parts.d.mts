export function findChromium(): string | undefined;
export function hasKeyring(): boolean;
export function hasBubblewrap(): boolean;
export function hasKubectl(): boolean;
export function hasDocker(): boolean;
export function hasSshServer(): boolean;
export function hasNginx(): boolean;

export function findChromium(): string | undefined;
export function hasKeyring(): boolean;

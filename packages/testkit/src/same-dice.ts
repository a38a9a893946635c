/**
 * Property tests throw the same dice on every run: what fails is what has changed, and fails again for whoever looks. New
 * inputs are looked for with another seed: `SEED=7 npx vitest run …`.
 */
import fc from 'fast-check';

const SEED = 20_260_728;

fc.configureGlobal({ seed: Number(process.env.SEED ?? SEED) });

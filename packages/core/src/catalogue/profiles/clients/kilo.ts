import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Made from opencode. */
export const kilo: ProfileDef = {
  extends: 'opencode',
  title: 'Kilo',
  sources: ['tried with 7.7.7: the same program in this respect'],
};

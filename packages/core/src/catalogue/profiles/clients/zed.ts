import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Any provider. */
export const zed: ProfileDef = {
  title: 'Zed',
  provider: 'default',
  list_changed: true,
  transports: ['stdio', 'http'],
  sources: ['list_changed: zed-industries/zed#42453; what it puts before names was not seen'],
};

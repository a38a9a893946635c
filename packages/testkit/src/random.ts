/** Values at random, for property tests. Apart from the rest: what makes them takes long to load, and few tests need it. */
export { anyServer, anyServerId, damagedConfigs } from './random-configs.ts';
export { anySchema } from './random-schemas.ts';

import { promise } from '@junctor/testkit';
import { readDamaged } from '../config/damaged.ts';

promise('9.13b', '100,000 damaged config files are read without a crash', () => readDamaged(100_000), 900_000);

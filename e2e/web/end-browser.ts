/** Set up for each file of these tests: the browser that it started ends with it. */
import { afterAll } from 'vitest';
import { endBrowser } from './browser.ts';

afterAll(endBrowser);

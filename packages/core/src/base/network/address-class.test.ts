import { expect, test } from 'vitest';
import { addressClass } from './address-class.ts';

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.255.3.4', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['::127.0.0.1', 'loopback'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['2002:7f00:1::', 'loopback'],
  ['169.254.169.254', 'link-local'],
  ['::ffff:169.254.169.254', 'link-local'],
  ['fe80::1', 'link-local'],
  ['fd00:ec2::254', 'link-local'],
  ['100.100.100.200', 'link-local'],
  ['10.1.2.3', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fd12::1', 'private'],
  ['0.0.0.0', 'reserved'],
  ['::', 'reserved'],
  ['224.0.0.1', 'reserved'],
  ['255.255.255.255', 'reserved'],
  ['ff02::1', 'reserved'],
  ['example.com', 'reserved'],
  ['93.184.216.34', 'public'],
  ['172.32.0.1', 'public'],
  ['2606:2800:220:1::1', 'public'],
])('%s is %s', (address, kind) => {
  expect(addressClass(address)).toBe(kind);
});

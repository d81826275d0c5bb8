import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress } from '../src/public-address.ts';

test('only addresses of the public Internet are public', () => {
	for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:8.8.8.8', '172.32.0.1']) {
		assert.ok(isPublicAddress(address), address);
	}
	for (const address of [
		'0.0.0.0',
		'10.1.2.3',
		'100.64.0.1',
		'127.0.0.1',
		'127.255.255.254',
		'169.254.169.254',
		'172.16.0.1',
		'192.0.0.8',
		'192.168.1.1',
		'198.18.0.1',
		'224.0.0.1',
		'240.0.0.1',
		'255.255.255.255',
		'::',
		'::1',
		'::7f00:1',
		'::127.0.0.1',
		'::ffff:127.0.0.1',
		'::ffff:10.0.0.1',
		'::ffff:0:127.0.0.1',
		'64:ff9b::7f00:1',
		'64:ff9b:1::1',
		'100::1',
		'2001::1',
		'2001:db8::1',
		'2002:7f00:1::',
		'168.63.129.16',
		'::ffff:168.63.129.16',
		'100.100.100.200',
		'192.0.0.192',
		'fc00::1',
		'fd00:ec2::254',
		'fe80::1',
		'fec0::1',
		'ff02::1',
		'4000::1',
		'nonsense',
		'',
	]) {
		assert.ok(!isPublicAddress(address), address);
	}
});

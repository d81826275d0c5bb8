import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWebhookUrl } from '../src/webhook-url.ts';

test('a webhook has an https URL, with a name or a public address', () => {
	for (const url of [
		'https://hooks.example.com',
		'https://hooks.example.com/',
		'HTTPS://Hooks.Example.Com/a/b?secret=c&d=%20',
		'https://a_b.xn--bcher-kva.xn--p1ai/x',
		'https://hooks.example.com:443/x',
		'https://hooks.example.com:1024/x',
		'https://hooks.example.com:8443/x',
		'https://hooks.example.com:65535/x',
		'https://1.1.1.1/x',
		'https://[2606:4700:4700::1111]:8443/x',
		`https://hooks.example.com/${'x'.repeat(474)}`,
	]) {
		assert.equal(isWebhookUrl(url, false), true, url);
	}
});

test('every other URL is refused', () => {
	for (const url of [
		'',
		'x',
		'https://',
		'http://hooks.example.com/',
		'ftp://hooks.example.com/',
		'javascript:alert(1)',
		'//hooks.example.com/',
		'https:hooks.example.com',
		'https:\\\\hooks.example.com/',
		'https://hooks.example.com\\@10.0.0.1/',
		' https://hooks.example.com/',
		'https://hooks.example.com/ ',
		'https://hooks.exam\nple.com/',
		'https://hooks.example.com/\0',
		'https://bücher.example/',
		'https://user@hooks.example.com/',
		'https://user:password@hooks.example.com/',
		'https://:password@hooks.example.com/',
		'https://hooks.example.com/#fragment',
		'https://hooks.example.com/#',
		`https://hooks.example.com/${'x'.repeat(475)}`,
	]) {
		assert.equal(isWebhookUrl(url, true), false, url);
	}
});

test('no port below 1024 is allowed besides 443, so none of mail', () => {
	for (const port of [0, 1, 22, 25, 80, 442, 444, 465, 587, 993, 1023, 65_536, 99_999]) {
		assert.equal(isWebhookUrl(`https://hooks.example.com:${port}/`, false), false, String(port));
	}
});

test('private addresses are refused in every spelling, and so are names without a dot', () => {
	for (const host of [
		...['10.0.0.1', '127.0.0.1', '127.1', '0x7f.1', '0177.0.0.1', '2130706433', '0', '169.254.169.254'],
		...['192.168.1.1', '168.63.129.16', '%31%32%37.1', '10.1', '127.0.0.1.', '1.2.3.4.5', 'a.1', 'a.0x7f'],
		...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[fd00::1]', '[fe80::1]', '[fe80::1%25eth0]', '[64:ff9b::7f00:1]'],
		...['localhost', 'intranet', 'hooks.example.com.', 'hooks..example.com', '.example.com', '*.example.com'],
		...[`${'a'.repeat(64)}.example.com`, `${'a.'.repeat(124)}example.com`],
	]) {
		assert.equal(isWebhookUrl(`https://${host}/`, true), false, host);
	}
});

test('this machine is allowed over http on request alone', () => {
	for (const url of ['http://127.0.0.1', 'http://localhost:3000/x', 'HTTP://LOCALHOST:65535/', 'http://127.1:8080/']) {
		assert.equal(isWebhookUrl(url, true), true, url);
		assert.equal(isWebhookUrl(url, false), false, url);
	}
	for (const url of [
		...[
			'http://127.0.0.2/',
			'http://[::1]/',
			'http://localhost.example.com/',
			'http://a.localhost/',
			'http://10.0.0.1/',
		],
		...[
			'https://127.0.0.1/',
			'https://localhost/',
			'http://localhost:22/',
			'http://user@localhost/',
			'http://localhost/#',
		],
	]) {
		assert.equal(isWebhookUrl(url, true), false, url);
	}
});

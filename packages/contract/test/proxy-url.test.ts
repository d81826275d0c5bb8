import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProxyAddress, readProxyUrl, writeProxyUrl } from '@bursar/contract/proxy-url';

test('an address of a proxy is a protocol, a host and a port', () => {
	for (const [text, written] of Object.entries({
		'http://proxy.example:3128': 'http://proxy.example:3128',
		'HTTPS://Fra.Proxy.Example:443/': 'https://fra.proxy.example:443',
		'socks5://10.0.0.1:1': 'socks5://10.0.0.1:1',
		'http://[2001:DB8:0:0:0:0:0:1]:80': 'http://[2001:db8::1]:80',
		'socks5://gw_1:65535': 'socks5://gw_1:65535',
		'http://-x--y.example:3128': 'http://-x--y.example:3128',
	})) {
		const url = readProxyUrl(text);
		assert.equal(url && writeProxyUrl(url), written);
	}
});

test('what has credentials, a path, no port or another protocol is no address of a proxy', () => {
	for (const text of [
		'',
		' ',
		'proxy.example:3128',
		'//proxy.example:3128',
		'http://proxy.example',
		'http://proxy.example:',
		'http://proxy.example:0',
		'http://proxy.example:03128',
		'http://proxy.example:65536',
		'http://user@proxy.example:3128',
		'http://user:key@proxy.example:3128',
		'http://:key@proxy.example:3128',
		'http://proxy.example:3128/path',
		'http://proxy.example:3128//',
		'http://proxy.example:3128?x',
		'http://proxy.example:3128#x',
		'ftp://proxy.example:3128',
		'socks5h://proxy.example:3128',
		'toString://proxy.example:3128',
		'http://10.1:3128',
		'http://1:3128',
		'http://0x7f.0.0.1:3128',
		'http://999.1.1.1:3128',
		'http://2001:db8::1:3128',
		'http://[2001:db8::g]:3128',
		'http://[fe80::1%eth0]:3128',
		'http://[10.0.0.1]:3128',
		'http://[]:3128',
		'http://a..b:3128',
		'http://.a:3128',
		'http://próxy.example:3128',
		"http://a'b:3128",
		'http://a$(id):3128',
		'http://a b:3128',
		'http://proxy.example:31\n28',
		'http://proxy.example:3128\n',
		'\nhttp://proxy.example:3128',
		`http://${'a'.repeat(254)}:3128`,
	]) {
		assert.equal(readProxyUrl(text), undefined, JSON.stringify(text));
	}
});

test('a port can be left out where one is meant', () => {
	assert.equal(readProxyAddress('proxy.example'), undefined);
	assert.deepEqual(readProxyAddress('Proxy.Example', 80), { host: 'proxy.example', port: 80 });
	assert.deepEqual(readProxyAddress('[::1]', 80), { host: '[::1]', port: 80 });
	assert.equal(readProxyAddress('proxy.example\n', 80), undefined);
	assert.equal(readProxyAddress('', 80), undefined);
});

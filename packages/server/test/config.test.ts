import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigError, edgeUrlOf, maskedConfig, publicUrlOf, readConfig } from '../src/config.ts';

function problemOf(name: string, text: string): string {
	try {
		readConfig({ [name]: text });
	} catch (error) {
		assert.ok(error instanceof ConfigError);
		return error.message;
	}
	return '';
}

test('wrong settings are all named in one line', () => {
	assert.throws(
		() => readConfig({ BURSAR_PORT: 'x', BURSAR_LENIENT: 'y' }),
		/^ConfigError: BURSAR_PORT: it must be an integer from 0 to 65535; BURSAR_LENIENT: it must be 1 or 0$/,
	);
});

test('the public URL is an origin, as browsers write it; by default it is localhost with the port', () => {
	for (const [text, publicUrl] of Object.entries({
		'https://bursar.example': 'https://bursar.example',
		'HTTPS://Bursar.Example:443/': 'https://bursar.example',
		'http://localhost:8080': 'http://localhost:8080',
		'https://[2001:db8::1]:8443': 'https://[2001:db8::1]:8443',
		'https://bücher.example': 'https://xn--bcher-kva.example',
	})) {
		assert.equal(publicUrlOf(readConfig({ BURSAR_PUBLIC_URL: text }), 9000), publicUrl);
	}
	assert.equal(publicUrlOf(readConfig({}), 9000), 'http://localhost:9000');
	assert.equal(publicUrlOf(readConfig({}), 80), 'http://localhost');
});

test('the address for proxy hosts is that of the settings, or of a listener that another machine could reach', () => {
	const listener = { edgePort: 8090, edgeHost: '192.0.2.1' };
	for (const [settings, address] of [
		[listener, 'http://192.0.2.1:8090'],
		[{ ...listener, edgeHost: '2001:db8::1' }, 'http://[2001:db8::1]:8090'],
		[{ ...listener, edgeUrl: 'https://edge.example' }, 'https://edge.example'],
		...['0.0.0.0', '::', '0'].map((edgeHost) => [{ ...listener, edgeHost }, undefined] as const),
		[{ ...listener, edgePort: 0 }, undefined],
		[{ edgeHost: '192.0.2.1' }, undefined],
	] as const) {
		assert.equal(edgeUrlOf(settings), address, JSON.stringify(settings));
	}
});

test('a public URL with more than an origin is refused, and so is no URL', () => {
	for (const text of [
		...['', 'bursar.example', '//bursar.example', 'ftp://bursar.example', 'file:///etc'],
		...['https://bursar.example/dashboard', 'https://ann@bursar.example', 'https://:secret@bursar.example'],
		...['https://bursar.example?x', 'https://bursar.example/#x'],
	]) {
		assert.match(problemOf('BURSAR_PUBLIC_URL', text), /^BURSAR_PUBLIC_URL: it must be an/, text);
	}
	assert.doesNotMatch(problemOf('BURSAR_PUBLIC_URL', 'https://:secret@bursar.example'), /secret/);
});

test('the addresses of the proxies are URLs without credentials, each once; by default there are none', () => {
	const read = (BURSAR_PROXY_URLS: string) => readConfig({ BURSAR_PROXY_URLS }).proxyUrls;
	assert.deepEqual(readConfig({}).proxyUrls, []);
	assert.deepEqual(
		read(
			'http://Fra.proxy.example:3128, socks5://fra.proxy.example:3128/,https://[2001:DB8::1]:443,http://fra.proxy.example:3128',
		),
		['http://fra.proxy.example:3128', 'socks5://fra.proxy.example:3128', 'https://[2001:db8::1]:443'],
	);
	const urls = (count: number) => Array.from({ length: count }, (_, n) => `http://p${n}.example:3128`).join(',');
	assert.equal(read(urls(50)).length, 50);
	assert.match(problemOf('BURSAR_PROXY_URLS', urls(51)), /^BURSAR_PROXY_URLS: it must be at most 50 URLs$/);
	const noUrls = ['', ' ', 'http://a.example:3128,', 'proxy.example:3128', 'http://proxy.example', 'ftp://a.example:1'];
	for (const wrong of noUrls) {
		assert.match(problemOf('BURSAR_PROXY_URLS', wrong), /^BURSAR_PROXY_URLS: it must be URLs with commas/, wrong);
	}
	const secret = problemOf('BURSAR_PROXY_URLS', 'http://user:secret@proxy.example:3128');
	assert.match(secret, /nothing else, like http:/);
	assert.doesNotMatch(secret, /secret/);
});

test('the host of the proxies is a short form of the address of one HTTP proxy', () => {
	for (const [text, url] of Object.entries({
		'proxy.example': 'http://proxy.example:80',
		'Proxy.Example:3128': 'http://proxy.example:3128',
		'[2001:db8::1]:65535': 'http://[2001:db8::1]:65535',
	})) {
		assert.deepEqual(readConfig({ BURSAR_PROXY_HOST: text }).proxyUrls, [url]);
	}
	const both = { BURSAR_PROXY_HOST: 'proxy.example:3128', BURSAR_PROXY_URLS: 'socks5://fra.proxy.example:3128' };
	assert.deepEqual(readConfig(both).proxyUrls, ['socks5://fra.proxy.example:3128']);
	for (const wrong of ['', 'proxy.example:0', 'http://proxy.example', 'user:key@proxy.example', 'proxy.example,b']) {
		assert.match(problemOf('BURSAR_PROXY_HOST', wrong), /^BURSAR_PROXY_HOST: it must be a host/, wrong);
	}
});

test('the options of the proxies are names, each with its values or with none; by default there are none', () => {
	const read = (BURSAR_PROXY_OPTIONS: string) => readConfig({ BURSAR_PROXY_OPTIONS }).proxyOptions;
	assert.deepEqual(readConfig({}).proxyOptions, []);
	assert.deepEqual(read('country=US|DE|GB, session,lifetime=10m|1.5h'), [
		{ name: 'country', values: ['US', 'DE', 'GB'] },
		{ name: 'session', values: null },
		{ name: 'lifetime', values: ['10m', '1.5h'] },
	]);
	const masked = maskedConfig(readConfig({ BURSAR_PROXY_OPTIONS: 'country=US|DE, session' }));
	assert.deepEqual(masked.proxyOptions, ['country=US|DE', 'session']);
	const many = (count: number) => Array.from({ length: count }, (_, n) => `n${n}`);
	assert.equal(read(many(50).join(',')).length, 50);
	assert.equal(read(`country=${many(500).join('|')}`)[0]?.values?.length, 500);
	for (const [wrong, problem] of [
		['', 'option 1 must begin with its name'],
		['country=US,', 'option 2 must begin with its name'],
		['Country=US', 'option 1 must begin with its name'],
		['coun-try', 'option 1 must begin with its name'],
		['a_b=1', 'option 1 must begin with its name'],
		['=US', 'option 1 must begin with its name'],
		['country=', 'the values of country must be'],
		['country=US||DE', 'the values of country must be'],
		['country=U S', 'the values of country must be'],
		['country=US=DE', 'the values of country must be'],
		['session=a_b', 'the values of session must be'],
		['session=a-b', 'the values of session must be'],
		[`session=${'a'.repeat(65)}`, 'the values of session must be'],
		['country=US|US', 'the option country has the value US twice'],
		['country,session,country=US', 'the option country stands there twice'],
		[many(51).join(','), 'it must be at most 50 options'],
		[`country=${many(501).join('|')}`, 'the option country must have at most 500 values'],
	] as const) {
		assert.ok(problemOf('BURSAR_PROXY_OPTIONS', wrong).startsWith(`BURSAR_PROXY_OPTIONS: ${problem}`), wrong);
	}
});

test('trusted proxies are addresses and networks; by default no proxy is trusted', () => {
	assert.deepEqual(readConfig({}).trustedProxies, []);
	const text = '10.0.0.1, 192.168.0.0/16,::1,2001:db8::/32';
	assert.deepEqual(readConfig({ BURSAR_TRUSTED_PROXIES: text }).trustedProxies, [
		'10.0.0.1',
		'192.168.0.0/16',
		'::1',
		'2001:db8::/32',
	]);
	for (const wrong of [
		...['', '10.0.0', '10.0.0.1,', '10.0.0.1/33', '0.0.0.0/0', '::/0', '::1/129', '10.0.0.1/', '10.0.0.1/8/8'],
		...['10.0.0.1/-1', 'fe80::1%eth0', 'proxy.example', 'loopback', 'true'],
	]) {
		assert.match(problemOf('BURSAR_TRUSTED_PROXIES', wrong), /^BURSAR_TRUSTED_PROXIES: it must be IP addresses/, wrong);
	}
});

test('the dashboard is on unless it is turned off', () => {
	assert.equal(readConfig({}).dashboard, true);
	assert.equal(readConfig({ BURSAR_DASHBOARD: '1' }).dashboard, true);
	assert.equal(readConfig({ BURSAR_DASHBOARD: '0' }).dashboard, false);
	assert.match(problemOf('BURSAR_DASHBOARD', 'off'), /^BURSAR_DASHBOARD: it must be 1 or 0$/);
});

test('the edge listener is off unless it has a port; what bursar-edge reads is no mistake here', () => {
	const config = readConfig({});
	assert.deepEqual([config.edgePort, config.edgeHost], [undefined, '127.0.0.1']);
	const set = readConfig({ BURSAR_EDGE_PORT: '0', BURSAR_EDGE_HOST: '0.0.0.0' });
	assert.deepEqual([set.edgePort, set.edgeHost], [0, '0.0.0.0']);
	assert.match(problemOf('BURSAR_EDGE_PORT', '65536'), /^BURSAR_EDGE_PORT: it must be an integer from 0 to 65535$/);
	assert.deepEqual([config.edgeMaxGbps, readConfig({ BURSAR_EDGE_MAX_GBPS: '10' }).edgeMaxGbps], [400, 10]);
	assert.match(
		problemOf('BURSAR_EDGE_MAX_GBPS', '0'),
		/^BURSAR_EDGE_MAX_GBPS: it must be an integer from 1 to 100000$/,
	);
	assert.match(problemOf('BURSAR_EDGE_HOST', ''), /^BURSAR_EDGE_HOST: it must not be empty$/);
	assert.match(problemOf('BURSAR_EDGE_URL', 'x'), /^BURSAR_EDGE_URL: it must be an http or https URL without a path/);
	for (const name of ['KEY', 'KEY_FILE', 'UPSTREAM', 'UPSTREAM_FILE'].map((each) => `BURSAR_EDGE_${each}`)) {
		assert.equal(problemOf(name, 'x'), '');
	}
});

test('a key file that others can read is refused, unless a setting allows it', {
	skip: process.getuid === undefined && 'there are no modes here',
}, (t) => {
	const dataDir = mkdtempSync(join(tmpdir(), 'bursar-config-'));
	t.after(() => rmSync(dataDir, { recursive: true }));
	const file = join(dataDir, 'master.key');
	const key = Buffer.alloc(32, 7);
	writeFileSync(file, key.toString('base64'), { mode: 0o644 });
	const own = { BURSAR_DATA_DIR: dataDir };
	const named = { BURSAR_MASTER_KEY_FILE: file };
	assert.throws(() => readConfig(own), /master\.key: others can read or change it \(mode 644\): chmod 600 it/);
	assert.throws(() => readConfig(named), /^ConfigError: BURSAR_MASTER_KEY_FILE: others can read or change it/);
	const allowed = { BURSAR_ALLOW_OPEN_KEY_FILES: '1' };
	assert.equal(readConfig({ ...own, ...allowed }).allowOpenKeyFiles, true);
	assert.deepEqual(readConfig({ ...named, ...allowed }).masterKey, key);
	chmodSync(file, 0o600);
	assert.deepEqual(readConfig({ ...own, ...named }).masterKey, key);
	assert.equal(readConfig(own).allowOpenKeyFiles, false);
});

test('a mail server is a URL, and needs a sender and the address of the dashboard; by default no mail is sent', () => {
	const others = { BURSAR_MAIL_FROM: 'Bursar <Bursar@Example.com>', BURSAR_PUBLIC_URL: 'https://bursar.example' };
	const mailOf = (BURSAR_SMTP_URL: string) => readConfig({ BURSAR_SMTP_URL, ...others }).mail;
	assert.equal(readConfig({}).mail, undefined);
	assert.deepEqual(mailOf('smtp://us%40er:p%3Aa%25@mail.example')?.from, {
		name: 'Bursar',
		address: 'bursar@example.com',
	});
	for (const [text, host, port, encryption, user, password] of [
		['smtp://us%40er:p%3Aa%25@mail.example', 'mail.example', 587, 'starttls', 'us@er', 'p:a%'],
		['SMTPS://mail.example:465/', 'mail.example', 465, 'tls', '', ''],
		['smtp://[2001:db8::1]:80', '2001:db8::1', 80, 'starttls', '', ''],
		['smtp+plain://relay', 'relay', 25, 'plain', '', ''],
		['smtp://a:b@127.0.0.1:25', '127.0.0.1', 25, 'plain', 'a', 'b'],
		['smtp://localhost', 'localhost', 587, 'plain', '', ''],
		// Only what looks like this machine, and is another one.
		['smtp://127.0.0.1.evil.example', '127.0.0.1.evil.example', 587, 'starttls', '', ''],
	] as const) {
		const { masked, ...server } = mailOf(text)?.server ?? assert.fail(text);
		assert.deepEqual(server, { host, port, encryption, user, password }, text);
		if (password !== '') assert.ok(!masked.includes(password), masked);
	}
	for (const wrong of [
		...['', 'mail.example', 'http://mail.example', 'smtp://', 'smtp://a@mail.example', 'smtp://:geheim@mail.example'],
		...['smtp://mail.example/path', 'smtp://mail.example?tls=0', 'smtp://mail.example:99999'],
		...['smtp://a:%zz@mail.example', 'smtp+plain://a:geheim@relay'],
	]) {
		assert.match(problemOf('BURSAR_SMTP_URL', wrong), /^BURSAR_SMTP_URL: (?!.*geheim)/, wrong);
	}
	assert.equal(
		problemOf('BURSAR_SMTP_URL', 'smtp://mail.example'),
		'BURSAR_MAIL_FROM: with a mail server it is required',
	);
	const { BURSAR_PUBLIC_URL: _, ...withoutUrl } = others;
	assert.throws(
		() => readConfig({ BURSAR_SMTP_URL: 'smtp://mail.example', ...withoutUrl }),
		/BURSAR_PUBLIC_URL: with a mail server it is required/,
	);
	assert.match(problemOf('BURSAR_MAIL_FROM', 'a@b.example'), /^BURSAR_MAIL_FROM: it needs BURSAR_SMTP_URL/);
	for (const wrong of ['', 'Bursar', 'a@b\r\nBcc: c@d', 'A "b" <a@b>', '<a@b> c', 'a b <>']) {
		assert.match(problemOf('BURSAR_MAIL_FROM', wrong), /^BURSAR_MAIL_FROM: it must be an e-mail address/, wrong);
	}
	const masked = JSON.stringify(
		maskedConfig(readConfig({ BURSAR_SMTP_URL: 'smtp://us:geheim@mail.example', ...others })),
	);
	assert.match(masked, /smtp:\/\/us:\*\*\*@mail\.example:587/);
	assert.doesNotMatch(masked, /geheim/);
});

test('the URL of a mail server can stand in a file, which nobody else may read', (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-test-'));
	t.after(() => rmSync(folder, { recursive: true }));
	const file = join(folder, 'smtp-url');
	writeFileSync(file, 'smtp://us:geheim@mail.example\n', { mode: 0o600 });
	const settings = {
		...{ BURSAR_SMTP_URL_FILE: file, BURSAR_MAIL_FROM: 'a@b.example' },
		BURSAR_PUBLIC_URL: 'https://bursar.example',
	};
	assert.equal(readConfig(settings).mail?.server.password, 'geheim');
	assert.throws(
		() => readConfig({ ...settings, BURSAR_SMTP_URL: 'smtp://mail.example' }),
		/BURSAR_SMTP_URL and BURSAR_SMTP_URL_FILE: only one/,
	);
	chmodSync(file, 0o644);
	assert.throws(() => readConfig(settings), /BURSAR_SMTP_URL_FILE: others can read or change it/);
	chmodSync(file, 0o600);
	writeFileSync(file, 'x'.repeat(5_000));
	assert.throws(() => readConfig(settings), /BURSAR_SMTP_URL_FILE: the file is too long/);
	assert.throws(
		() => readConfig({ ...settings, BURSAR_SMTP_URL_FILE: join(folder, 'none') }),
		/BURSAR_SMTP_URL_FILE: the file cannot be read \(ENOENT\)/,
	);
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { readProxyPassword, writeProxyPassword } from '@bursar/contract/proxy-options';
import { PROXY_PROTOCOLS, readProxyUrl } from '@bursar/contract/proxy-url';
import {
	chosenOptions,
	isWrongValue,
	newSession,
	offeredAddresses,
	proxyAt,
	typedAddress,
} from '../src/features/connect/choices.ts';
import { type Connection, colonForm, connectionUrl } from '../src/features/connect/connection.ts';
import { curlCommand, programsFor, snippet } from '../src/features/connect/programs.ts';
import { quoteForShell } from '../src/format/quote.ts';

const PASSWORD = '4fQ9sLw2ZbT7xKc1_country-US_session-a1.b2';

function connection(url: string, changed: Partial<Connection> = {}): Connection {
	const proxy = readProxyUrl(url) ?? assert.fail(url);
	return { proxy, username: 'ann.smith_2', password: PASSWORD, ...changed };
}

/** No account has such a name or key. If one had, nothing of it could end a text, a URL or a command. */
const HOSTILE: Partial<Connection> = { username: `a'b"c$(id)\`d\\e`, password: `k@y:/?#[]%41 &'"\\\n$HOME` };
const HOSTS = ['http://-x--y.example:3128', 'https://gw_1:443', 'socks5://[2001:db8::1]:1080', 'http://10.0.0.1:80'];

/** What a shell makes of a command: the arguments of curl and wget, and the exported variables. */
function ranByShell(script: string): readonly string[] {
	const shown = `
		curl() { printf '%s\\0' curl "$@"; }
		wget() { printf '%s\\0' wget "$@"; }
		${script}
		printf '%s\\0' "$http_proxy" "$https_proxy" "$all_proxy"`;
	return execFileSync('/bin/sh', ['-c', shown], { encoding: 'utf8', env: {} }).split('\0').slice(0, -1);
}

/** The texts between double quotes in a program, as it reads them. */
function literalsIn(program: string): readonly string[] {
	return Array.from(program.matchAll(/"(?:[^"\\\n]|\\.)*"/g), ([literal]) => JSON.parse(literal) as string);
}

test('a connection is a URL, or four parts with colons between them', () => {
	assert.equal(
		connectionUrl(connection('http://proxy.example:3128')),
		`http://ann.smith_2:${PASSWORD}@proxy.example:3128`,
	);
	assert.equal(
		connectionUrl(connection('https://proxy.example:80')),
		`https://ann.smith_2:${PASSWORD}@proxy.example:80`,
	);
	assert.equal(
		connectionUrl(connection('socks5://[2001:DB8::1]:1080'), 'socks5h'),
		`socks5h://ann.smith_2:${PASSWORD}@[2001:db8::1]:1080`,
	);
	assert.equal(colonForm(connection('http://proxy.example:3128')), `proxy.example:3128:ann.smith_2:${PASSWORD}`);
	assert.equal(colonForm(connection('socks5://[2001:db8::1]:1')), `[2001:db8::1]:1:ann.smith_2:${PASSWORD}`);
});

test('a URL gives back the name and the password, with any characters in them', () => {
	for (const host of HOSTS) {
		for (const given of [connection(host), connection(host, HOSTILE)]) {
			const url = new URL(connectionUrl(given));
			assert.equal(decodeURIComponent(url.username), given.username);
			assert.equal(decodeURIComponent(url.password), given.password);
			assert.equal(url.hostname, given.proxy.host);
			assert.equal(url.protocol, `${given.proxy.protocol}:`);
			assert.deepEqual([url.pathname, url.search, url.hash], [url.pathname === '/' ? '/' : '', '', '']);
		}
	}
});

test('a shell reads the commands as they are meant', () => {
	for (const host of HOSTS) {
		for (const given of [connection(host), connection(host, HOSTILE)]) {
			const { protocol } = given.proxy;
			const url = connectionUrl(given, protocol === 'socks5' ? 'socks5h' : protocol);
			assert.deepEqual(ranByShell(curlCommand(given)), ['curl', '-x', url, 'https://example.com/', '', '', '']);
			assert.deepEqual(
				ranByShell(snippet('environment', given)),
				{
					http: ['wget', '-qO', '-', 'https://example.com/', url, url, ''],
					https: ['curl', 'https://example.com/', url, url, ''],
					socks5: ['curl', 'https://example.com/', '', '', url],
				}[protocol],
			);
		}
	}
	for (const text of ['', ' ', "'", `a'b"c`, '$(id)', '`id`', '\\', '*', '-x', '~', '#a', 'a\nb', 'http://a:b@c:1']) {
		assert.deepEqual(ranByShell(`curl ${quoteForShell(text)}`).slice(1, 2), [text]);
	}
});

test('programs have the whole connection in their quotes, and SOCKS5 is only for those that can sign in to it', () => {
	for (const host of HOSTS) {
		for (const given of [connection(host), connection(host, HOSTILE)]) {
			const { protocol } = given.proxy;
			const remote = connectionUrl(given, protocol === 'socks5' ? 'socks5h' : protocol);
			for (const program of programsFor(protocol)) {
				if (program === 'environment') continue;
				const literals = literalsIn(snippet(program, given));
				const wanted =
					program === 'playwright'
						? [given.username, given.password, `${protocol}://${given.proxy.host}:${given.proxy.port}`]
						: [program === 'go' || program === 'scrapy' ? connectionUrl(given) : remote];
				for (const text of wanted) assert.ok(literals.includes(text), `${program} at ${host} lacks ${text}`);
			}
		}
	}
	assert.deepEqual(programsFor('socks5'), ['environment', 'python', 'node', 'go']);
	assert.deepEqual(programsFor('http'), ['environment', 'python', 'node', 'playwright', 'scrapy', 'go']);
	assert.match(snippet('node', connection('socks5://proxy.example:1080')), /SocksProxyAgent\("socks5h:/);
	assert.match(snippet('node', connection('http://proxy.example:1080')), /ProxyAgent\("http:/);
});

test('addresses of the operator are offered once, with the protocols that each speaks', () => {
	const offered = offeredAddresses([
		'http://fra.proxy.example:3128',
		'socks5://fra.proxy.example:3128',
		'https://nyc.proxy.example:443',
	]);
	assert.deepEqual(offered, [
		{ address: 'fra.proxy.example:3128', protocols: ['http', 'socks5'] },
		{ address: 'nyc.proxy.example:443', protocols: ['https'] },
	]);
	const [fra, nyc] = offered;
	assert.deepEqual(fra && proxyAt(fra, 'socks5'), { protocol: 'socks5', host: 'fra.proxy.example', port: 3128 });
	assert.equal(fra && proxyAt(fra, 'https')?.protocol, 'http', 'it does not speak HTTPS');
	assert.equal(nyc && proxyAt(nyc, 'http')?.protocol, 'https');
	assert.deepEqual(offeredAddresses([]), []);
});

test('an address that was typed speaks every protocol, if it is one', () => {
	for (const protocol of PROXY_PROTOCOLS) {
		assert.deepEqual(proxyAt(typedAddress(' Proxy.Example:3128 '), protocol), {
			protocol,
			host: 'proxy.example',
			port: 3128,
		});
	}
	for (const text of ['', 'proxy.example', 'http://proxy.example:3128', 'a b:1', "a';id:1", 'user:key@a:1']) {
		assert.equal(proxyAt(typedAddress(text), 'http'), undefined, text);
	}
});

const OFFERED = [
	{ name: 'country', values: ['US', 'DE'] },
	{ name: 'session', values: null },
	{ name: 'constructor', values: null },
];

test('the options that are asked for stand behind the key, in the order in which they are offered', () => {
	const typed = new Map([
		['session', 'a1.b2'],
		['country', 'US'],
		['constructor', ''],
		['city', 'Berlin'],
	]);
	const options = chosenOptions(OFFERED, typed);
	assert.ok(typeof options === 'object');
	assert.equal(writeProxyPassword('KEY', options), 'KEY_country-US_session-a1.b2');
	assert.equal(chosenOptions(OFFERED, new Map([['session', 'a_b-c']])), 'wrong');
	assert.ok(isWrongValue('a b') && isWrongValue('é') && isWrongValue('a'.repeat(65)));
	assert.ok(!isWrongValue('') && !isWrongValue('a'.repeat(64)));
	const many = Array.from({ length: 17 }, (_, n) => ({ name: `n${n}`, values: null }));
	const all = (count: number) => new Map(many.slice(0, count).map(({ name }) => [name, '1']));
	assert.equal(chosenOptions(many, all(17)), 'too_many');
	assert.equal((chosenOptions(many, all(16)) as ReadonlyMap<string, string>).size, 16);
});

test('each new session is another one, and is a value that an option can have', () => {
	const sessions = Array.from({ length: 100 }, newSession);
	assert.equal(new Set(sessions).size, 100);
	for (const session of sessions)
		assert.equal(readProxyPassword(`KEY_session-${session}`).options?.get('session'), session);
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { KEY, startOrigin, startTestProxy } from '../support/running-proxy.ts';

const run = promisify(execFile);

/** `requests` if it is there; otherwise the library that Python brings. */
const PYTHON = `
import sys
url, proxy = sys.argv[1:]
try:
    import requests
    print(requests.get(url, proxies={'http': proxy}).text)
except ImportError:
    from urllib.request import ProxyHandler, build_opener
    print(build_opener(ProxyHandler({'http': proxy})).open(url).read().decode())
`;

test('curl and Python use the proxy without credentials from an address that signs in, and with them as ever', async (t) => {
	// All clients have the address of this machine.
	const proxy = await startTestProxy(t, { destinations: { allowPrivate: true, ownAddresses: () => new Set() } });
	const { service, port } = proxy;
	service.signIns.set('127.0.0.1', 'alice');
	service.signsInByAddress = true;
	const origin = `http://127.0.0.1:${await startOrigin(t)}/`;
	const env = { ...process.env, no_proxy: '', NO_PROXY: '' };
	const curl = async (...args: readonly string[]) => {
		const all = ['-sS', '--noproxy', '', '-w', '\n%{http_code} %{http_connect}', ...args, origin];
		const { stdout } = await run('curl', all, { env }).catch((failed: { stdout: string }) => failed);
		return stdout;
	};
	const http = `http://127.0.0.1:${port}`;
	for (const way of [
		['-x', http],
		['-x', http, '--proxytunnel'],
		['--socks5-hostname', `127.0.0.1:${port}`],
		['--socks5', `127.0.0.1:${port}`],
		['-x', http, '-U', 'bob.b:Bbbbbbbb12345678'],
		['--socks5-hostname', `127.0.0.1:${port}`, '-U', `alice:${KEY}`],
	]) {
		assert.match(await curl(...way), /^from the origin\n200 /, way.join(' '));
	}
	for (const way of [
		['-x', http, '-U', 'alice:wrong'],
		['-x', http, '--proxytunnel', '-U', 'alice:wrong'],
		['--socks5-hostname', `127.0.0.1:${port}`, '-U', 'alice:wrong'],
	]) {
		assert.doesNotMatch(await curl(...way), /from the origin/, way.join(' '));
	}
	const python = async (address: string) => (await run('python3', ['-c', PYTHON, origin, address], { env })).stdout;
	assert.equal(await python(http), 'from the origin\n');
	assert.equal(await python(`http://bob.b:Bbbbbbbb12345678@127.0.0.1:${port}`), 'from the origin\n');
	service.signIns.clear();
	assert.match(await curl('-x', `http://127.0.0.1:${port}`, '--interface', '127.0.0.9'), /407/);
});

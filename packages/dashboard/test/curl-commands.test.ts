import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { allEndpoints, type Endpoint } from '@bursar/contract';
import { curlCommands } from '../src/features/token/curl-commands.ts';

/** What a shell would hand to curl. */
function argumentsOf(command: string): readonly string[] {
	const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
	const printed = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env: { BURSAR_TOKEN: 'the token' } });
	return printed.split('\0').slice(0, -1);
}

test('there is a command for each endpoint, with the example of the contract', () => {
	const commands = curlCommands('https://bursar.example');
	assert.deepEqual(
		commands.map(({ operation }) => operation),
		Object.keys(allEndpoints),
	);
	for (const { operation, method, path, command } of commands) {
		const endpoint: Endpoint = allEndpoints[operation];
		assert.equal(method, endpoint.method);
		assert.equal(path, endpoint.path);
		const body =
			endpoint.request === undefined
				? []
				: ['-H', 'Content-Type: application/json', '-d', JSON.stringify(endpoint.requestExample)];
		assert.deepEqual(argumentsOf(command), [
			'-H',
			'Authorization: Bearer the token',
			...body,
			`https://bursar.example${endpoint.path}`,
		]);
	}
});

test('a slash at the end of the base address is not doubled', () => {
	const [first] = curlCommands('http://localhost:8080/');
	assert.match(first?.command ?? '', /http:\/\/localhost:8080\/reseller\/my_info$/);
});

test('a base address with characters of the shell stays one argument', () => {
	for (const address of ['https://a.example/?a=1&b=$HOME', "https://a.example/it's", 'http://[::1]:8080']) {
		const [first] = curlCommands(address);
		assert.equal(argumentsOf(first?.command ?? '').at(-1), `${address}/reseller/my_info`);
	}
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { type ProxyProcess, startProxyCommand } from './real-service.ts';

const UNIT = join(import.meta.dirname, '../../../../docs/edge/bursar-edge-proxy.service');

/** Runs what the documentation's unit for systemd runs. Destinations on this machine are allowed one by one. */
export function startDocumentedProxy(
	test: TestContext,
	{ edgeUrl, key, allowed }: { readonly edgeUrl: string; readonly key: string; readonly allowed: readonly string[] },
): Promise<ProxyProcess> {
	const file = join(temporaryFolder(test), 'key');
	writeFileSync(file, key, { mode: 0o600 });
	const changes = [
		['https://edge.bursar.example', edgeUrl],
		['/etc/bursar-edge/key', file],
		['--port 3128', '--port 0'],
		['--ops-port 9465', '--ops-port 0'],
	] as const;
	const unit = changes.reduce(
		(before, [from, to]) => {
			if (!before.includes(from)) throw new Error(`${UNIT} has no ${from}`);
			return before.replaceAll(from, to);
		},
		readFileSync(UNIT, 'utf8'),
	);
	const valuesOf = (name: string) =>
		[...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
	const environment = Object.fromEntries(valuesOf('Environment').map((text) => text.split(/=(.*)/s).slice(0, 2)));
	const [program, ...args] = valuesOf('ExecStart').join(' ').split(' ');
	if (program !== '/usr/bin/bursar-edge') throw new Error(`${UNIT} runs ${program}`);
	return startProxyCommand(test, [...args, ...allowed.flatMap((destination) => ['--allow', destination])], environment);
}

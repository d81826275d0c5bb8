import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { curlThrough } from '../support/proxy-client.ts';
import { openSquidShop } from '../support/squid-shop.ts';
test('x', async (t) => {
	const { alice, origins, host, relay, usage } = await openSquidShop(t);
	console.log(await curlThrough(relay.port, alice, [`${origins.url}/bytes/10`]));
	await setTimeout(5000);
	console.log(await usage('alice'), relay.bytes, readFileSync(host.log, 'latin1'), host.usage.process().stdout());
	console.log(await (await fetch(host.opsUrl() + '/metrics')).text(), host.cacheLog().slice(-1500));
});

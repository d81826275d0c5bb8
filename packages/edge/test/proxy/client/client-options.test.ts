import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { Command } from 'commander';
import { Registry } from 'prom-client';
import {
	addCertificateMetric,
	addClientOptions,
	type ClientOptions,
	certificateOf,
} from '../../../src/proxy/client/client-options.ts';
import { KEY_FILE, pemFile } from '../../support/certificates.ts';

const logger = createLogger('silent');

function parse(...args: readonly string[]): ClientOptions {
	return addClientOptions(new Command()).parse(args, { from: 'user' }).opts();
}

function open(test: TestContext, options: ClientOptions) {
	// The file comes from a checkout, so it may have any mode.
	const certificate = certificateOf(options, { mayBeOpen: true, logger });
	test.after(() => certificate?.stop());
	return certificate;
}

test('load balancers are a list of addresses and networks', () => {
	const { proxyProtocolFrom } = parse(
		'--proxy-protocol-from',
		'192.0.2.1, 198.51.100.7/24,2001:DB8::1/64,::ffff:192.0.2.9',
	);
	assert.deepEqual(proxyProtocolFrom, ['192.0.2.1', '198.51.100.0/24', '2001:db8::/64', '192.0.2.9']);
	const tooMany = Array.from({ length: 101 }, (_, index) => `192.0.2.${index}`).join();
	for (const wrong of ['', 'SeCrEt', '192.0.2.1,', '192.0.2.0/33', '192.0.2', '192.0.2.1 192.0.2.2', tooMany]) {
		assert.throws(
			() => parse('--proxy-protocol-from', wrong),
			({ name, message }: Error) => name === 'UsageError' && !message.includes('SeCrEt'),
			wrong,
		);
	}
});

test('a certificate needs its key, and the other way round', (t) => {
	assert.equal(open(t, parse()), undefined);
	for (const args of [
		['--tls-certificate', pemFile('expired')],
		['--tls-key', KEY_FILE],
	]) {
		assert.throws(() => open(t, parse(...args)), /one of them is missing/);
	}
	const wrong = ['--tls-certificate', pemFile('expired'), '--tls-key', 'missing.pem'];
	assert.throws(() => open(t, parse(...wrong)), {
		name: 'UsageError',
		message: '--tls-certificate, --tls-key: the file of the key cannot be read (ENOENT)',
	});
});

test('a metric says when the certificate expires, and there is none without one', async (t) => {
	const registry = new Registry();
	addCertificateMetric(undefined, registry);
	assert.equal((await registry.metrics()).trim(), '');
	addCertificateMetric(open(t, { tlsCertificate: pemFile('expired'), tlsKey: KEY_FILE }), registry);
	const seconds = Date.UTC(2020, 0, 2) / 1000;
	assert.match(await registry.metrics(), new RegExp(`^bursar_edge_proxy_certificate_expires_seconds ${seconds}$`, 'm'));
});

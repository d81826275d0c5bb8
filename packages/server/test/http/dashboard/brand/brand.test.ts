import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { DASHBOARD_API } from '@bursar/contract/dashboard';
import { MAX_LOGO_BYTES } from '@bursar/contract/png';
import { call } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { PNG_SIGNATURE, png, pngChunk, pngHeader } from '@bursar/testing/png';
import { startTestService } from '@bursar/testing/service';
import { bothEngines } from '../../../support/both-engines.ts';
import { PASSWORD, startDashboard } from '../../../support/dashboard.ts';

const OWN = { name: null, color: null, logo: null, legal_name: '', address: [], tax_number: '' };
const LETTERHEAD = { legal_name: 'North GmbH', address: ['Pier 1', '20457 Hamburg'], tax_number: 'DE1' };
/** The largest that there can be. */
const LARGE = Buffer.concat([
	...[PNG_SIGNATURE, pngHeader(2, 1), pngChunk('IDAT', Buffer.alloc(MAX_LOGO_BYTES - 57, 7)), pngChunk('IEND')],
]);
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

for (const engine of await bothEngines()) {
	describe(engine.name, () => {
		test('all people see the brand that an operator sets, also before they sign in, and it can be taken back', async (t) => {
			const {
				operator: newOperator,
				browser,
				resellerWithPerson,
				url,
			} = await startDashboard(t, await engine.environment());
			const operator = await newOperator();
			const nobody = browser();
			assert.deepEqual((await nobody.read('/session')).brand, { name: 'Bursar', color: null, logo: null });
			assert.deepEqual(await operator.read('/operator/brand'), OWN);

			assert.equal(LARGE.length, MAX_LOGO_BYTES);
			const set = await operator.change('/operator/brand/set', { name: 'North', logo: base64(LARGE), ...LETTERHEAD });
			const { logo } = set;
			assert.match(logo ?? '', /^\/dashboard\/logo\/[0-9a-f]{32}\.png$/);
			assert.deepEqual(set, { ...OWN, name: 'North', logo, ...LETTERHEAD });
			assert.deepEqual((await nobody.read('/session')).brand, { name: 'North', color: null, logo });
			const { browser: person } = await resellerWithPerson('acme');
			assert.deepEqual(await person.read('/letterhead'), LETTERHEAD);

			const shown = await fetch(url + logo);
			assert.equal(shown.status, 200);
			assert.deepEqual(Buffer.from(await shown.arrayBuffer()), LARGE);
			const { acts } = await operator.read('/operator/acts');
			assert.equal(acts.find(({ kind }) => kind === 'set_brand')?.target, 'name logo letterhead');

			const next = await operator.change('/operator/brand/set', { color: '#FFCC00', logo: base64(png()) });
			assert.notEqual(next.logo, logo);
			assert.deepEqual((await nobody.read('/session')).brand, { name: 'North', color: '#ffcc00', logo: next.logo });
			assert.equal((await fetch(url + logo)).status, 404, 'the previous logo is gone');

			assert.deepEqual(await operator.change('/operator/brand/set', OWN), OWN);
			assert.deepEqual((await nobody.read('/session')).brand, { name: 'Bursar', color: null, logo: null });
			assert.equal((await fetch(url + next.logo)).status, 404);
		});
	});
}

test('the logo is a PNG and nothing else, kept for ever by its name, and cannot do anything by itself', async (t) => {
	const { operator: newOperator, url } = await startDashboard(t);
	const operator = await newOperator();
	const hidden = Buffer.concat([png(), Buffer.from('<script>alert(1)</script>')]);
	const { logo } = await operator.change('/operator/brand/set', { logo: base64(hidden) });
	const { status, headers, ...answer } = await fetch(url + logo);
	assert.equal(status, 200, String(answer));
	const wanted = {
		'content-type': 'image/png',
		'x-content-type-options': 'nosniff',
		'cache-control': 'public, max-age=31536000, immutable',
		'content-security-policy': "default-src 'none'; sandbox",
		'cross-origin-resource-policy': 'same-origin',
		'content-length': String(png().length),
	};
	for (const [name, value] of Object.entries(wanted)) assert.equal(headers.get(name), value, name);
	const etag = headers.get('etag') ?? '';
	assert.equal(logo, `/dashboard/logo/${etag.slice(1, -1)}.png`);
	assert.equal((await fetch(url + logo, { headers: { 'if-none-match': etag } })).status, 304);
	const head = await fetch(url + logo, { method: 'HEAD' });
	assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'image/png']);
	for (const other of [
		'/dashboard/logo/',
		`${logo}.svg`,
		`/dashboard/logo/${'0'.repeat(32)}.png`,
		`/dashboard/logo/%2e.png`,
	]) {
		const { headers, status } = await fetch(url + other);
		assert.equal(status, 404, other);
		assert.doesNotMatch(headers.get('content-type') ?? '', /html|svg|image/, other);
	}
});

test('what is no brand is refused with its reason, and changes nothing', async (t) => {
	const { operator: newOperator } = await startDashboard(t);
	const operator = await newOperator();
	for (const [code, body] of [
		['invalid_brand_name', { name: 'North\u202e' }],
		['invalid_brand_name', { name: 'a\r\nBcc: eve@evil.example' }],
		['invalid_color', { color: 'red;}' }],
		['invalid_logo', { logo: base64(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')) }],
		['invalid_logo', { logo: base64(Buffer.concat([PNG_SIGNATURE, pngHeader(60_000, 60_000), pngChunk('IEND')])) }],
		['invalid_logo', { logo: '' }],
		['invalid_letterhead', { address: ['a', 'b', 'c', 'd', 'e', 'f'] }],
		['invalid_request', { logo: 'https://evil.example/logo.png' }],
		['invalid_request', {}],
	] as const) {
		await operator.refused(code, '/operator/brand/set', { act: randomUUID(), ...body });
	}
	assert.deepEqual(await operator.read('/operator/brand'), OWN);
});

test('only the call of an operator may have a large body, and one that is too large is refused', async (t) => {
	const { operator: newOperator, resellerWithPerson, browser } = await startDashboard(t);
	const operator = await newOperator();
	const { browser: person } = await resellerWithPerson('acme');
	const body = { act: randomUUID(), logo: 'A'.repeat(90_000) };
	await person.refused('only_for_operators', '/operator/brand/set', body);
	await browser().refused('signed_out', '/operator/brand/set', body);
	await operator.refused('invalid_logo', '/operator/brand/set', body);
	await operator.refused('payload_too_large', '/operator/brand/set', { ...body, logo: 'A'.repeat(100_000) });
	await operator.refused('payload_too_large', '/operator/note', {
		...body,
		reseller: 'acme',
		note: 'x'.repeat(17_000),
	});
	await browser().refused('payload_too_large', '/sign-in', { email: 'x'.repeat(17_000), password: PASSWORD });
});

test('a hostile name stays text in the title of the HTML', async (t) => {
	const { operator: newOperator, url } = await startDashboard(t);
	const operator = await newOperator();
	await operator.change('/operator/brand/set', { name: `</title><script>"$&'$1</script>` });
	const html = await (await fetch(`${url}/dashboard/sign-in`)).text();
	assert.match(html, /<title>&lt;\/title&gt;&lt;script&gt;&quot;\$&amp;&#39;\$1&lt;\/script&gt;<\/title>/);
	assert.equal(html.match(/<title>/g)?.length, 1);
});

test('apps for codes and passkeys show the name, and passkeys stay with the site', async (t) => {
	const { operator: newOperator, publicUrl } = await startDashboard(t);
	const operator = await newOperator();
	await operator.change('/operator/brand/set', { name: 'North: Süd & Co' });
	const uri = new URL((await operator.ok('/account/codes/setup', {})).uri);
	assert.equal(uri.searchParams.get('issuer'), 'North  Süd & Co');
	assert.equal(decodeURIComponent(uri.pathname), '/North  Süd & Co:op@bursar.example');
	const { rp } = (await operator.ok('/account/passkeys/question', {})) as { readonly rp: object };
	assert.deepEqual(rp, { name: 'North: Süd & Co', id: new URL(publicUrl).hostname });
});

test('while the store is away, pages show the last brand that was known, without waiting long for it', async (t) => {
	const { operator: newOperator, browser, faults, url } = await startDashboard(t);
	const operator = await newOperator();
	const { logo } = await operator.change('/operator/brand/set', {
		name: 'North',
		color: '#0b7285',
		logo: base64(png()),
	});
	await browser().read('/session');
	for (const readBrand of [() => Promise.reject(new Error('away')), () => new Promise<never>(() => {})]) {
		faults.readBrand = readBrand;
		await eventually(async () => {
			const begunAtMs = performance.now();
			assert.deepEqual((await browser().read('/session')).brand, { name: 'North', color: '#0b7285', logo });
			assert.match(await (await fetch(`${url}/dashboard/`)).text(), /<title>North<\/title>/);
			assert.equal((await fetch(url + logo)).status, 200);
			assert.equal((await fetch(`${url}/dashboard/logo/${'0'.repeat(32)}.png`)).status, 404);
			assert.ok(performance.now() - begunAtMs < 5_000);
		});
	}
});

test('another process of the store shows a change within seconds', async (t) => {
	const [, postgres] = await bothEngines();
	const environment = (await postgres?.environment()) ?? assert.fail();
	const { operator: newOperator } = await startDashboard(t, environment);
	const other = await startTestService(t, { BURSAR_DASHBOARD: '1', ...environment });
	const operator = await newOperator();
	const { logo } = await operator.change('/operator/brand/set', { name: 'North', logo: base64(png()) });
	await eventually(async () => assert.equal((await fetch(other.url + logo)).status, 200), 20_000);
	await eventually(async () => {
		const { data } = await call(other.url, `${DASHBOARD_API}/session`, { method: 'GET' });
		assert.deepEqual(data.brand, { name: 'North', color: null, logo });
	}, 20_000);
});

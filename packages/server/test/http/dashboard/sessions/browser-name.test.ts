import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserName } from '../../../../src/http/dashboard/sessions/browser-name.ts';

const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test('browsers are named as people know them', () => {
	for (const [userAgent, name] of [
		['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
		[`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KIT} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Windows'],
		[`Mozilla/5.0 (Windows NT 10.0) ${KIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
		[`Mozilla/5.0 (Linux; Android 10; K) ${KIT} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
		[`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KIT} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
		[
			'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
			'Safari on macOS',
		],
		[
			'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
			'Chrome on iOS',
		],
		['curl/8.5.0', 'Unknown browser'],
		[undefined, 'Unknown browser'],
	] as const) {
		assert.equal(browserName(userAgent), name);
	}
});

test('nothing of a hostile header is in the name', () => {
	for (const userAgent of [
		'<script>alert(1)</script>',
		`${'Firefox/'.repeat(2_000)}`,
		'\u202eWindows\u0000 Firefox/<b>',
		'',
	]) {
		assert.match(browserName(userAgent), /^(Firefox|Unknown browser)( on Windows)?$/);
	}
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProxyPassword } from '@bursar/contract/proxy-options';
import { lifetimeOf, sessionDraw } from '../../src/proxy/session.ts';

const MINUTE_MS = 60_000;
const NOW_MS = Date.UTC(2026, 10, 25, 10);

function optionsOf(text: string) {
	const { options } = readProxyPassword(`KEY_${text}`);
	assert.ok(options);
	return options;
}

function draw(text: string, nowMs = NOW_MS, account = 'alice') {
	const drawn = sessionDraw(account, optionsOf(text), nowMs);
	assert.ok(drawn);
	return drawn;
}

test('a lifetime is minutes or hours, from a minute to 24 hours', () => {
	for (const [value, minutes] of [
		['1m', 1],
		['30m', 30],
		['1440m', 1_440],
		['1h', 60],
		['24h', 1_440],
	] as const) {
		assert.equal(lifetimeOf(optionsOf(`lifetime-${value}`)), minutes * MINUTE_MS, value);
	}
	for (const value of ['0m', '1441m', '25h', '0h', '30', '30s', '1d', '1.5h', '01m', '30M', 'm', '9999h', '99999m']) {
		assert.equal(lifetimeOf(optionsOf(`lifetime-${value}`)), undefined, value);
	}
	assert.equal(lifetimeOf(optionsOf('session-a1')), undefined);
});

test('without a lifetime, a session is drawn by the same key for ever', () => {
	assert.deepEqual(draw('session-a1'), { key: 'alice\na1', endsAtMs: Number.POSITIVE_INFINITY });
	assert.deepEqual(draw('session-a1', NOW_MS * 2), draw('session-a1'));
	assert.equal(sessionDraw('alice', optionsOf('country-US_lifetime-30m'), NOW_MS), undefined);
});

test('with a lifetime, the key changes each time it is over, at times of each session', () => {
	const endings = new Set<number>();
	for (let n = 0; n < 200; n++) {
		const text = `session-s${n}_lifetime-30m`;
		const { key, endsAtMs } = draw(text);
		assert.ok(endsAtMs > NOW_MS && endsAtMs <= NOW_MS + 30 * MINUTE_MS);
		assert.deepEqual(draw(text, endsAtMs - 1), { key, endsAtMs });
		const next = draw(text, endsAtMs);
		assert.equal(next.endsAtMs, endsAtMs + 30 * MINUTE_MS);
		assert.notEqual(next.key, key);
		endings.add(endsAtMs);
	}
	assert.ok(endings.size > 190, 'they do not change all at once');
});

test('other accounts, sessions and lifetimes are drawn by other keys, and hours are minutes', () => {
	const keys = [
		draw('session-a1'),
		draw('session-a1_lifetime-30m'),
		draw('session-a1_lifetime-31m'),
		draw('session-a2_lifetime-30m'),
		draw('session-a1_lifetime-30m', NOW_MS, 'bob'),
	].map(({ key }) => key);
	assert.equal(new Set(keys).size, 5);
	assert.deepEqual(draw('session-a1_lifetime-2h'), draw('lifetime-120m_session-a1'));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	changedLimits,
	chosenLimits,
	type LimitTexts,
	limitTexts,
	parseGb,
	typedGb,
	typedLimits,
	typedMbit,
} from '../../src/features/terms/typed-limits.ts';
import { dayAndTimeOf } from '../../src/format/days.ts';
import { ALICE } from '../support/dashboard.ts';

const EMPTY = limitTexts(ALICE.limits);
const typed = (texts: Partial<LimitTexts>) => typedLimits({ ...EMPTY, ...texts }, 0);

test('GB become bytes and back, exactly, up to the largest limit', () => {
	for (const [gb, bytes] of [
		['1', 1_000_000_000],
		['0.000000001', 1],
		['0.1', 100_000_000],
		['1.1', 1_100_000_000],
		['2.675', 2_675_000_000],
		['9007199.254740991', Number.MAX_SAFE_INTEGER],
		['4503599.627370497', 4_503_599_627_370_497],
	] as const) {
		assert.equal(parseGb(gb), bytes, gb);
		assert.equal(typedGb(bytes), gb);
	}
	assert.equal(parseGb(' 1,234.50 '), 1_234_500_000_000);
	const wrong = ['0', '0.0', '-1', '1e3', '1,5', '12,34', '.5', '1.', '1.0000000001', '9007199.254740992', 'NaN', '１'];
	for (const text of [...wrong, '9'.repeat(24)]) assert.equal(parseGb(text), undefined, text);
});

test('an empty field is no limit, and what can be none says why', () => {
	for (const limit of Object.values(typed({}))) assert.deepEqual(limit, { state: 'right', limit: null });
	assert.deepEqual(typed({ connections: '1000000' }).connections, { state: 'right', limit: 1_000_000 });
	for (const connections of ['0', '1000001', '1.5', '-1', 'x']) {
		assert.deepEqual(typed({ connections }).connections, { state: 'wrong', problem: 'connections' });
	}
	assert.deepEqual(typed({ allowed_ips: '192.0.2.9/24\n\n ::1 \n192.0.2.0/24' }).allowed_ips, {
		state: 'right',
		limit: ['192.0.2.0/24', '::1'],
	});
	const wrongLine = { state: 'wrong', problem: 'address', line: 3 };
	assert.deepEqual(typed({ allowed_ips: '::1\n\n127.1\nnowhere' }).allowed_ips, wrongLine);
	const many = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index}`).join('\n');
	assert.equal(typed({ allowed_ips: many(32) }).allowed_ips.state, 'right');
	assert.deepEqual(typed({ allowed_ips: many(33) }).allowed_ips, { state: 'wrong', problem: 'too_many_addresses' });
});

test('Mbit/s become bytes a second and back, exactly', () => {
	for (const [mbit, limit] of [
		['0.064', 8_000],
		['0.064008', 8_001],
		['10', 1_250_000],
		['8000000', 1_000_000_000_000],
	] as const) {
		assert.deepEqual(typed({ bytes_per_second: mbit }).bytes_per_second, { state: 'right', limit }, mbit);
		assert.equal(typedMbit(limit), mbit);
	}
	// The service counts whole bytes.
	assert.deepEqual(typed({ bytes_per_second: '1.000007' }).bytes_per_second, { state: 'right', limit: 125_000 });
	for (const mbit of ['0', '0.063999', '8000000.000008', '-1', 'x', '1.0000001']) {
		assert.deepEqual(typed({ bytes_per_second: mbit }).bytes_per_second, { state: 'wrong', problem: 'speed' }, mbit);
	}
});

test('an end is a day and a time in the zone of the page; without a time, it is the end of the day', () => {
	const expiry = (expires_on: string, expires_at: string) => typed({ expires_on, expires_at }).expires_at;
	const local = (year: number, month: number, date: number, hours = 0, minutes = 0, seconds = 0) => ({
		state: 'right',
		limit: new Date(year, month, date, hours, minutes, seconds).toISOString(),
	});
	assert.deepEqual(expiry('2026-12-31', '23:59:58'), local(2026, 11, 31, 23, 59, 58));
	assert.deepEqual(expiry('2026-12-31', '23:00'), local(2026, 11, 31, 23, 0));
	assert.deepEqual(expiry('2026-12-31', ''), local(2027, 0, 1));
	// A day with 23 hours and one with 25, where clocks change.
	for (const month of [2, 9]) {
		for (let date = 20; date <= 31; date++) {
			const text = new Date(Date.UTC(2026, month, date)).toISOString().slice(0, 10);
			assert.deepEqual(expiry(text, '12:00'), local(2026, month, date, 12));
			assert.deepEqual(expiry(text, ''), local(2026, month, date + 1));
		}
	}
	for (const [day, time] of [
		['', '23:00'],
		['2026-02-30', '00:00'],
		['1969-12-30', '00:00'],
		['12026-01-01', ''],
	] as const) {
		assert.deepEqual(expiry(day, time), { state: 'wrong', problem: 'date' }, day);
	}
	assert.deepEqual(expiry('2026-12-31', '25:00'), { state: 'wrong', problem: 'time' });
});

test('an end that is over must be meant so', () => {
	const end = (texts: Partial<LimitTexts>) =>
		typedLimits({ ...EMPTY, ends_now: false, ...texts }, Date.parse('2026-05-04T12:00:00Z')).expires_at;
	assert.equal(end({ expires_on: '2026-06-01' }).state, 'right');
	assert.partialDeepStrictEqual(end({ expires_on: '2026-05-01' }), { state: 'wrong', problem: 'past' });
	assert.equal(end({ expires_on: '2026-05-01', ends_now: true }).state, 'right');
	assert.equal(end({}).state, 'right');
});

test('only what was changed is sent: another limit, also a moment within its second, stays as it is', () => {
	const limits = { ...ALICE.limits, day_bytes: 5, connections: 3, expires_at: '2026-12-31T23:00:00.123Z' };
	const before = limitTexts(limits);
	const changed = (texts: Partial<LimitTexts>) => changedLimits(before, { ...before, ...texts }, 0);
	assert.deepEqual(changed({}), {});
	assert.deepEqual(changed({ connections: '' }), { connections: null });
	assert.deepEqual(changed({ expires_on: '', expires_at: '' }), { expires_at: null });
	const later = new Date(limits.expires_at);
	later.setDate(later.getDate() + 3);
	later.setMilliseconds(0);
	const expires_on = dayAndTimeOf(later.toISOString()).day;
	assert.deepEqual(changed({ expires_on }), { expires_at: later.toISOString() });
	assert.equal(changed({ day_bytes: '1', connections: 'x' }), undefined);
	assert.deepEqual(chosenLimits(['day_bytes', 'allowed_ips'], { ...EMPTY, day_bytes: '2' }, 0), {
		day_bytes: 2_000_000_000,
		allowed_ips: null,
	});
});

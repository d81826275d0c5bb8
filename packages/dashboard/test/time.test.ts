import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agoText, inText } from '../src/format/time.ts';

const NOW = Date.parse('2026-11-22T12:00:00.000Z');

function before(seconds: number): string {
	return agoText(new Date(NOW - seconds * 1000).toISOString(), NOW);
}

test('the time since something is told in the largest unit that fits', () => {
	assert.equal(before(0), 'now');
	assert.equal(before(1), '1 second ago');
	assert.equal(before(59), '59 seconds ago');
	assert.equal(before(60), '1 minute ago');
	assert.equal(before(3599), '59 minutes ago');
	assert.equal(before(3600), '1 hour ago');
	assert.equal(before(86_399), '23 hours ago');
	assert.equal(before(86_400), 'yesterday');
	assert.equal(before(90 * 86_400), '90 days ago');
});

test('what seems to lie ahead happened now', () => {
	assert.equal(before(-5), 'now');
});

test('what is still to come is said in the largest unit that fits, and what is over is now', () => {
	const said = (seconds: number) => inText(new Date(NOW + seconds * 1000).toISOString(), NOW);
	assert.deepEqual([-5, 0, 1, 59, 60, 599, 3_600, 90_000].map(said), [
		'now',
		'now',
		'in 1 second',
		'in 59 seconds',
		'in 1 minute',
		'in 10 minutes',
		'in 1 hour',
		'tomorrow',
	]);
});

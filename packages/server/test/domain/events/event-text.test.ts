import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventText } from '../../../src/domain/events/event-text.ts';
import { NOON_MS } from '../../support/commands.ts';

const EVENT = { number: 3, id: 'evt_3', type: 'sub_user.unusable', atMs: NOON_MS, data: '{"reason":"expired"}' };

test('an event has the fields that it has in the log, and no others', () => {
	const nothing = { username: null, requestId: null, changeId: null };
	const fields = { id: 'evt_3', number: 3, type: 'sub_user.unusable', at: '2026-11-21T12:00:00.000Z' };
	assert.equal(eventText({ ...EVENT, ...nothing }), JSON.stringify({ ...fields, data: { reason: 'expired' } }));
	assert.equal(
		eventText({ ...EVENT, username: 'alice', requestId: 'r', changeId: 'c' }),
		JSON.stringify({
			...fields,
			...{ username: 'alice', data: { reason: 'expired' }, request_id: 'r', change_id: 'c' },
		}),
	);
});

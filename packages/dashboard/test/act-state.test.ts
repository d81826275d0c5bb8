import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterSending, type OpenAct } from '../src/acts/act.ts';
import { type CallCode, CallError } from '../src/calls/call.ts';

const SENT: OpenAct = { id: 'the id', state: 'open', isBusy: true, sent: { amount: 1 } };

function after(act: OpenAct, code?: CallCode) {
	const { id, state, failure, isBusy, sent } = afterSending(
		act,
		code ? { failure: new CallError(code) } : { answer: {} },
	);
	assert.equal(isBusy, false);
	assert.equal(sent, act.sent);
	return { isSameId: id === act.id, state, code: failure?.code };
}

test('after a lost answer the same act is asked for again', () => {
	for (const code of ['lost', 'outcome_unknown'] as const) {
		assert.deepEqual(after(SENT, code), { isSameId: true, state: 'lost', code: undefined });
	}
});

test('an act that the service has recorded is over', () => {
	assert.deepEqual(after(SENT, 'act_repeated'), { isSameId: true, state: 'repeated', code: undefined });
	assert.deepEqual(after({ ...SENT, state: 'lost' }, 'act_repeated'), {
		isSameId: true,
		state: 'repeated',
		code: undefined,
	});
});

test('of a lost act, neither a refusal for now nor a fault of the page says anything', () => {
	for (const code of ['signed_out', 'unavailable', 'page_fault'] as const) {
		assert.deepEqual(after({ ...SENT, state: 'lost' }, code), { isSameId: true, state: 'lost', code });
	}
});

test('a refusal keeps the id, so that a late try of the same dialog cannot be done beside the next one', () => {
	for (const state of ['open', 'lost'] as const) {
		assert.deepEqual(after({ ...SENT, state }, 'insufficient_balance'), {
			isSameId: true,
			state: 'open',
			code: 'insufficient_balance',
		});
	}
});

test('a refusal that cost its fee was recorded, so the next try is a new act', () => {
	for (const code of ['username_taken', 'invalid_username'] as const) {
		assert.deepEqual(after(SENT, code), { isSameId: false, state: 'open', code });
	}
});

test('an act that was answered is sent no more; without a proof it can be sent again', () => {
	assert.deepEqual(afterSending(SENT, { answer: {} }).answer, {});
	assert.equal(afterSending(SENT, { answer: undefined }).answer, undefined);
	assert.equal(afterSending(SENT, { failure: new CallError('insufficient_balance') }).answer, undefined);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	changedSearch,
	choiceField,
	maybeChoiceField,
	numberField,
	plainSearch,
	readUrlState,
	textField,
	type UrlFields,
} from '../src/lists/url-state.ts';

interface State {
	readonly days: 7 | 30 | 90;
	readonly search: string;
	readonly kind: 'give' | 'take' | undefined;
	readonly before: number | undefined;
}

const FIELDS: UrlFields<State> = {
	days: choiceField([7, 30, 90], 30),
	search: textField(10),
	kind: maybeChoiceField(['give', 'take']),
	before: numberField,
};
const DEFAULT: State = { days: 30, search: '', kind: undefined, before: undefined };

test('without a query, everything is the default', () => {
	assert.deepEqual(readUrlState(FIELDS, ''), DEFAULT);
});

test('what is written is read again', () => {
	const state: State = { days: 90, search: 'a&b=%26 _', kind: 'give', before: 12 };
	assert.deepEqual(readUrlState(FIELDS, changedSearch(FIELDS, '', state)), state);
});

test('what means nothing is the default', () => {
	assert.deepEqual(readUrlState(FIELDS, '?days=31&kind=toString&before=-1&search='), DEFAULT);
	assert.deepEqual(readUrlState(FIELDS, '?days=%E0%A4%A&before=1e3&kind=&x=<script>'), DEFAULT);
	assert.equal(readUrlState(FIELDS, `?search=${'a'.repeat(50)}`).search, 'a'.repeat(10));
});

test('defaults are left out of the address, and what others keep there stays', () => {
	assert.equal(changedSearch(FIELDS, '?days=7&search=ann&other=1', { days: 30 }), '?search=ann&other=1');
	assert.equal(changedSearch(FIELDS, '?days=7', { days: 30 }), '');
	assert.equal(changedSearch(FIELDS, '?kind=give', { kind: undefined }), '');
	assert.equal(changedSearch(FIELDS, '?kind=give&search=x', {}), '?kind=give&search=x');
});

test('what means nothing is dropped from an address, and the rest is written in one way', () => {
	const plain = (search: string) => plainSearch(FIELDS, search);
	assert.equal(plain('?kind=xyz&days=31&other=1'), '?other=1');
	assert.equal(plain('?days=30&search='), '');
	assert.equal(plain('?kind=give&kind=take'), '?kind=give');
	assert.equal(plain(`?search=${'a'.repeat(50)}`), `?search=${'a'.repeat(10)}`);
	assert.equal(plain('?before=007'), '?before=7');
	for (const search of ['', '?days=7&search=a%20b&other=%zz', '?kind=give&before=12'])
		assert.equal(plain(search), search);
	for (const search of ['?kind=xyz&days=31', '?before=007&search=+a', '?kind=&kind=give']) {
		assert.equal(plain(plain(search)), plain(search), search);
	}
});

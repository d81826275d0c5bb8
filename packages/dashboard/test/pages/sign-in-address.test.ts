import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureTexts } from '../../src/calls/failure-texts.ts';
import { signInAddressTexts as texts } from '../../src/features/sign-in-address/texts.ts';
import { typedIps } from '../../src/features/sign-in-address/typed-ips.ts';
import { termsTexts } from '../../src/features/terms/texts.ts';
import {
	ACME,
	ALICE,
	ANN,
	cleanup,
	dialog,
	OLGA,
	open,
	press,
	pressInDialog,
	screen,
	serviceFor,
	type,
} from '../support/dashboard.ts';

test('addresses are one a line, and what is none says where', () => {
	assert.deepEqual(typedIps(' \n'), { ips: [] });
	assert.deepEqual(typedIps(' 2001:db8::7/64 \n\n::ffff:192.0.2.7\n192.0.2.7'), {
		ips: ['192.0.2.7', '2001:db8::/64'],
	});
	for (const wrong of ['127.0.0.1', '192.0.2.0/24', '2001:db8::/63', 'x', '192.0.2.7 192.0.2.8']) {
		assert.deepEqual(typedIps(`192.0.2.9\n\n${wrong}`), { problem: 'address', line: 3 }, wrong);
	}
	const many = Array.from({ length: 17 }, (_, n) => `192.0.2.${n}`).join('\n');
	assert.deepEqual(typedIps(many), { problem: 'too_many' });
});

test('a sub-user gets addresses from which it signs in, and the page says what that means', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/sub-user', { ...ALICE, sign_in_by_address: true });
	const sign_in_ips = ['192.0.2.7', '2001:db8::/64'];
	service.answers('/sub-users/sign-in-ips', { ...ALICE, sign_in_by_address: true, sign_in_ips });
	open(t, '/sub-users/alice');
	await screen.findByText(texts.lead);
	await screen.findByText(texts.nowhere);
	const title = texts.dialogTitle('alice');
	await press(texts.change);
	await dialog(title);
	await screen.findByText(texts.intro('alice'));
	await type(texts.addresses, '192.0.2.7\nnowhere');
	await screen.findByText(texts.problems.address(2));
	await type(texts.addresses, '2001:db8::7/64\n192.0.2.7');
	service.refuses('/sub-users/sign-in-ips', 'address_taken');
	await pressInDialog(title, texts.save);
	await screen.findByText(failureTexts.address_taken.happened);
	service.answers('/sub-user', { ...ALICE, sign_in_by_address: true, sign_in_ips });
	await pressInDialog(title, texts.save);
	await screen.findByText('2001:db8::/64');
	await screen.findByText(texts.done('alice'));
	assert.deepEqual(
		service.calls('/sub-users/sign-in-ips').map(({ username, sign_in_ips: sent }) => [username, sent]),
		[0, 1].map(() => ['alice', sign_in_ips]),
	);
});

test('without the permission of the operator, the page is silent; addresses that are there can be removed', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/sub-user', ALICE);
	open(t, '/sub-users/alice');
	await screen.findByText(termsTexts.limitsLead);
	assert.equal(screen.queryByText(texts.title), null);
	cleanup();
	const later = serviceFor(t, { ...ANN, role: 'viewer' });
	later.answers('/sub-user', { ...ALICE, sign_in_ips: ['192.0.2.7'] });
	open(t, '/sub-users/alice');
	await screen.findByText(texts.offLead);
	await screen.findByText('192.0.2.7');
	assert.equal(screen.queryByText(texts.change), null, 'a viewer changes nothing');
});

test('an operator allows a reseller to sign in by address, and ends it', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/reseller', ACME);
	service.answers('/operator/sign-in-by-address', ({ allowed }) => ({
		...ACME,
		sign_in_by_address: allowed === true,
	}));
	open(t, '/resellers/acme');
	const { allow, end, on, off } = texts.reseller;
	await screen.findByText(off);
	await press(allow.action);
	await pressInDialog(allow.title('acme'), allow.action);
	await screen.findByText(on);
	await press(end.action);
	await pressInDialog(end.title('acme'), end.action);
	await screen.findByText(off);
	assert.deepEqual(
		service.calls('/operator/sign-in-by-address').map(({ reseller, allowed }) => [reseller, allowed]),
		[
			['acme', true],
			['acme', false],
		],
	);
});

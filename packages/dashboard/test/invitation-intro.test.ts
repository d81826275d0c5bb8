import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invitationIntro, invitationTexts } from '../src/features/invitation/texts.ts';

const NEW = {
	email: 'ann@acme.example',
	reseller: 'acme',
	role: 'viewer' as const,
	signs_in: false,
	new_person: true,
	expires: '',
};

test('only a new person is welcomed as invited, and a person after a reset chooses a new password', () => {
	const title = invitationTexts.title('Net');
	const { againTitle, again, forFirst, forReseller, forOperator, signsIn } = invitationTexts;
	assert.deepEqual(invitationIntro(NEW, 'Net'), { title, lead: forReseller.viewer('acme') });
	assert.deepEqual(invitationIntro({ ...NEW, reseller: null, role: null }, 'Net'), { title, lead: forOperator });
	assert.deepEqual(invitationIntro({ ...NEW, email: null, reseller: null, role: null }, 'Net'), {
		title,
		lead: forFirst,
	});
	for (const reseller of ['acme', null]) {
		assert.deepEqual(invitationIntro({ ...NEW, reseller, new_person: false }, 'Net'), {
			title: againTitle,
			lead: again,
		});
		const link = { ...NEW, reseller, new_person: false, signs_in: true };
		assert.deepEqual(invitationIntro(link, 'Net'), { title, lead: signsIn(NEW.email) });
	}
});

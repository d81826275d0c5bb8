import type { InvitedPerson } from '@bursar/contract/dashboard';
import { texts } from '../../preferences/catalogue.ts';

export const invitationTexts = texts('invitationTexts', {
	title: 'Welcome to {service}',
	noLinkTitle: 'This link is not complete',
	noLink: 'Open the whole link that you were given. If you have used it before, sign in.',
	forReseller: {
		owner: 'You are invited as an owner of the reseller {reseller}. Choose a password.',
		manager: 'You are invited as a manager of the reseller {reseller}. Choose a password.',
		viewer: 'You are invited as a viewer of the reseller {reseller}. Choose a password.',
	},
	forOperator: 'You are invited as an operator of this service. Choose a password.',
	forFirst:
		'The person who uses this link becomes the first operator of this service. Choose the e-mail address and the password with which you sign in.',
	badEmail: 'This is not an e-mail address.',
	againTitle: 'Choose a new password',
	again: 'It signs you in from now on. Your previous password, passkeys and codes were removed.',
	signsIn: 'This link signs you in as {email}. It works once.',
	email: 'Your e-mail address',
	accept: 'Set the password and sign in',
	signIn: 'Sign in',
	toSignIn: 'Go to the sign-in page',
});

/** What the link is for. */
export function invitationIntro({ email, reseller, role, signs_in, new_person }: InvitedPerson, service: string) {
	const title = invitationTexts.title(service);
	const { signsIn, againTitle, again, forFirst, forOperator, forReseller } = invitationTexts;
	if (email === null) return { title, lead: forFirst };
	if (signs_in) return { title, lead: signsIn(email) };
	if (!new_person) return { title: againTitle, lead: again };
	return { title, lead: reseller === null || role === null ? forOperator : forReseller[role](reseller) };
}

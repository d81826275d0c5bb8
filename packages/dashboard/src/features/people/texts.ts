import type { ListedPerson } from '@bursar/contract/dashboard';
import { inLanguage } from '../../preferences/in-language.ts';

/** Everybody who signs in, and what operators do to them. */
export const peopleTexts = inLanguage('peopleTexts', {
	pageLead: 'Everybody who signs in on the dashboard: operators, and the people of all resellers.',
	label: 'People',
	search: 'Search by the beginning of the address',
	of: 'Whose people',
	ofAll: 'Everybody',
	ofOperators: 'Operators',
	ofResellers: 'People of resellers',
	operator: 'Operator',
	you: 'You',
	none: 'There is nobody yet.',
	nothingFound: 'Nobody has such an address.',

	people: 'People',
	peopleLead: 'Who may sign in on the dashboard for this reseller.',
	noPeople: 'There is nobody yet. Invite someone who looks after this reseller.',
	email: 'E-mail address',
	states: { invited: 'Invited', active: 'Active', locked: 'Locked' } satisfies Record<ListedPerson['state'], string>,
	withFactor: 'Has a second factor',
	withoutFactor: 'No second factor',
	seen: 'seen',
	notSignedIn: 'not signed in now',
	invite: 'Invite a person',
	inviteOperator: 'Invite an operator',
	inviteIntro: (reseller: string) =>
		`You get a link, good for 72 hours and once. Send it to the person: whoever opens it sets the password, and acts for ${reseller}.`,
	inviteOperatorIntro:
		'You get a link, good for 72 hours and once. Send it to the person: whoever opens it sets the password, and becomes an operator of this whole service.',
	inviteAgain: 'Make a new link',
	inviteAgainOne: (email: string) => `Make a new link for ${email}`,
	inviteNow: 'Make the link',
	linkTitle: 'The link of the invitation',
	linkIntro: (email: string, expires: string) =>
		`Send this link to ${email}. It is good until ${expires}, and works once. It is shown only now.`,
	linkLabel: 'Link of the invitation',
	linkLost:
		'The person was invited, but the link was in the answer that was lost, and it cannot be shown again. Close this, and invite the same address once more: the new link replaces the lost one.',

	'/operator/people/lock': {
		action: 'Lock',
		one: (email: string) => `Lock ${email}`,
		title: (email: string) => `Lock ${email}?`,
		effect:
			'All sessions of this person end at once, and every sign-in is refused until somebody unlocks the person. To end the access of a person for good, remove the person.',
	},
	'/operator/people/unlock': {
		action: 'Unlock',
		one: (email: string) => `Unlock ${email}`,
		title: (email: string) => `Unlock ${email}?`,
		effect: 'This person can sign in again, with the same password and the same second factors as before.',
	},
	'/operator/people/reset': {
		action: 'Reset',
		one: (email: string) => `Reset ${email}`,
		title: (email: string) => `Reset ${email}?`,
		effect:
			'For somebody who has lost the password, the phone or the passkey. The password, the passkeys, the one-time codes and the recovery codes are removed, and all sessions end. You get a link with which the person begins anew. A locked person stays locked.',
		linkTitle: 'The link to begin anew',
		linkLabel: 'Link to begin anew',
		linkLost:
			'The person was reset, but the link was in the answer that was lost, and it cannot be shown again. Close this, and reset the person once more: you then get a new link.',
	},
	'/operator/people/remove': {
		action: 'Remove',
		one: (email: string) => `Remove ${email}`,
		title: (email: string) => `Remove ${email}?`,
		effect:
			'All sessions of this person end at once, and the password, the second factors and the links are removed. What the person did stays in the activity, with this address. This cannot be undone; the same address can be invited again, as another person.',
	},
});

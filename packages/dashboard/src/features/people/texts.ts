import type { ListedPerson } from '@bursar/contract/dashboard';
import { texts } from '../../preferences/catalogue.ts';

/** The people who can sign in, and what operators do to them. */
export const peopleTexts = texts('peopleTexts', {
	pageLead: 'All people who sign in on the dashboard: operators, and the people of all resellers.',
	label: 'People',
	search: 'Search by the beginning of the address',
	of: 'Whose people',
	ofAll: 'All people',
	ofOperators: 'Operators',
	ofResellers: 'People of resellers',
	operator: 'Operator',
	you: 'You',
	none: 'There are no people yet.',
	nothingFound: 'No person has such an address.',

	people: 'People',
	peopleLead: 'Who may sign in on the dashboard for this reseller.',
	noPeople: 'There are no people yet. Invite a person who looks after this reseller.',
	email: 'E-mail address',
	states: { invited: 'Invited', active: 'Active', locked: 'Locked' } as const satisfies Record<
		ListedPerson['state'],
		string
	>,
	withFactor: 'Has a second factor',
	withoutFactor: 'No second factor',
	seen: 'seen',
	notSignedIn: 'not signed in now',
	invite: 'Invite a person',
	inviteOperator: 'Invite an operator',
	inviteIntro:
		'You get a link, good for 72 hours and once. The first who opens it sets the password, and acts for {reseller}.',
	inviteOperatorIntro:
		'You get a link, good for 72 hours and once. The first who opens it sets the password, and becomes an operator of this whole service.',
	inviteAgain: 'Make a new link',
	inviteAgainOne: 'Make a new link for {email}',
	inviteNow: 'Make the link',
	linkTitle: 'The link of the invitation',
	linkIntros: {
		mailed: 'This link is also mailed to {email}. It is good until {expires}, and works once. It is shown only now.',
		not_set_up:
			'Mail is not set up: send this link to {email} yourself. It is good until {expires}, and works once. It is shown only now.',
		locked:
			'It is not mailed to {email}, because this person is locked. It is good until {expires}, and works once. It is shown only now.',
		too_many:
			'Too many links were mailed: send this one to {email} yourself. It is good until {expires}, and works once. It is shown only now.',
	},
	alsoMailed: 'The link is also mailed to this address.',
	notMailed: 'Mail is not set up, so send the link in a way that no other person reads.',
	linkLabel: 'Link of the invitation',
	linkLost:
		'The person was invited, but the link was in the answer that was lost, and it cannot be shown again. Close this, and invite the same address once more: the new link replaces the lost one.',

	'/operator/people/lock': {
		action: 'Lock',
		one: 'Lock {email}',
		title: 'Lock {email}?',
		effect:
			'All sessions of this person end at once, and every sign-in is refused until an operator unlocks the person. To end the access of a person for good, remove the person.',
	},
	'/operator/people/unlock': {
		action: 'Unlock',
		one: 'Unlock {email}',
		title: 'Unlock {email}?',
		effect: 'This person can sign in again, with the same password and the same second factors as before.',
	},
	'/operator/people/reset': {
		action: 'Reset',
		one: 'Reset {email}',
		title: 'Reset {email}?',
		effect:
			'For a person who has lost the password, the phone or the passkey. The password, the passkeys, the one-time codes and the recovery codes are removed, and all sessions end. You get a link with which the person begins anew. A locked person stays locked.',
		linkTitle: 'The link to begin anew',
		linkLabel: 'Link to begin anew',
		linkLost:
			'The person was reset, but the link was in the answer that was lost, and it cannot be shown again. Close this, and reset the person once more: you then get a new link.',
	},
	'/operator/people/remove': {
		action: 'Remove',
		one: 'Remove {email}',
		title: 'Remove {email}?',
		effect:
			'All sessions of this person end at once, and the password, the second factors and the links are removed. What the person did stays in the activity, with this address. This cannot be undone; the same address can be invited again, as another person.',
	},
});

import type { ListedPerson } from '@bursar/contract/dashboard';
import { texts } from '../../preferences/catalogue.ts';

export const teamTexts = texts('teamTexts', {
	lead: 'Who may sign in on the dashboard for {reseller}, and what each person may do.',
	people: 'People',
	list: 'People of the team',
	onlyOwners: 'Only owners change the team. Ask one of them.',
	you: 'You',
	states: { invited: 'Invited', active: 'Active', locked: 'Locked' } as const satisfies Record<
		ListedPerson['state'],
		string
	>,
	withFactor: 'Has a second factor',
	withoutFactor: 'No second factor',
	seen: 'Seen',
	notSignedIn: 'Not signed in now',

	invite: 'Invite a colleague',
	inviteIntro: 'You get a link, good for 72 hours and once. The first person who opens it sets the password.',
	inviteAgain: 'New link',
	inviteAgainOne: 'New link for {email}',

	role: 'Role',
	roleOne: 'Change the role of {email}',
	roleIntro: 'The new role counts at once, also where this person is signed in now.',
	roleNow: 'Change the role',

	remove: 'Remove',
	removeOne: 'Remove {email}',
	removeTitle: 'Remove {email} from the team',
	removeIntro:
		'All sessions of this person end at once, and the password and second factors are deleted. What the person did stays in the activity. If the person knows your token, rotate it too.',
	removeNow: 'Remove from the team',
});

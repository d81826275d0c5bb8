import Type from 'typebox';
import { ROLES } from '../dashboard/roles.ts';
import { operation } from './operation.ts';
import { ACME, ANN, answer, EXAMPLE_TIME, nullable, OfResellerRequest, Reseller, SentReseller, TIME } from './parts.ts';

const SentEmail = Type.String({
	description: 'The e-mail address of the person. Uppercase letters become lowercase.',
	examples: [ANN],
});
const Email = Type.String({ description: 'The e-mail address of the person.', examples: [ANN] });
const Role = Type.Enum([...ROLES], {
	description:
		'What the person may do on the dashboard. `owner`: everything. `manager`: all but people, tokens and webhooks. `viewer`: read.',
	examples: ['manager'],
});

const PersonRequest = Type.Object(
	{ email: SentEmail },
	{ description: 'Names one person of a reseller. Other fields are ignored.' },
);
const PersonAnswer = answer({ email: Email }, 'The person.');
const ABOUT_PERSON = {
	scope: 'people:write',
	isChange: true,
	tag: 'People',
	request: PersonRequest,
	requestExample: { email: ANN },
	answer: 'The person.',
	data: PersonAnswer,
	dataExample: { email: ANN },
	failures: ['unknown_person'],
} as const;

/** The people of resellers. To programs, operators do not exist. */
export const peopleOperations = {
	viewPeople: operation({
		path: '/people/view_all',
		scope: 'people:write',
		isChange: false,
		tag: 'People',
		summary: 'Read the people of a reseller',
		description: 'Who can sign in to the dashboard for the reseller, and who was invited.',
		request: OfResellerRequest,
		requestExample: { reseller: ACME },
		answer: 'The people of the reseller.',
		data: Type.Array(
			answer(
				{
					email: Email,
					role: Role,
					state: Type.Enum(['invited', 'active', 'locked'], {
						description: 'One who was invited has no password yet.',
					}),
					second_factor: Type.Boolean({ description: 'Whether the person has a passkey or one-time codes.' }),
					last_seen: nullable(
						TIME('When a session of the person was last used, UTC.'),
						'`null` if there is no live session.',
					),
				},
				'A person of the reseller.',
			),
			{ description: 'By e-mail address.' },
		),
		dataExample: [{ email: ANN, role: 'owner', state: 'active', second_factor: true, last_seen: EXAMPLE_TIME }],
		failures: ['unknown_reseller'],
	}),
	invitePerson: operation({
		path: '/people/invite',
		scope: 'people:write',
		isChange: true,
		tag: 'People',
		summary: 'Invite a person of a reseller',
		description:
			'Tells a link with which the person sets a password. Where the service sends mail, the person gets it by mail too. For one who has never set a password, it makes a new link and ends the previous one. If the answer was lost, invite again with another change id. Whoever has the link can do all that the role allows.',
		request: Type.Object(
			{ reseller: SentReseller, email: SentEmail, role: Role },
			{ description: 'Whom to invite. Other fields are ignored.' },
		),
		requestExample: { reseller: ACME, email: ANN, role: 'owner' },
		answer: 'The link.',
		data: answer(
			{
				reseller: Reseller,
				email: Email,
				link: Type.String({ format: 'uri', description: 'The link. No other call tells it. It is good for one use.' }),
				expires_at: TIME('From when on the link is refused, UTC.'),
				mailed: Type.Boolean({
					description:
						'Whether the link is mailed to the person too. If not, the service sends no mail, or the person is locked.',
					examples: [true],
				}),
			},
			'The person and the link.',
		),
		dataExample: {
			reseller: ACME,
			email: ANN,
			link: 'https://bursar.example/dashboard/invitation#0000000000000000000000000000000000000000000',
			expires_at: '2026-11-24T09:30:00.000Z',
			mailed: true,
		},
		failures: ['unknown_reseller', 'email_taken', 'team_full'],
	}),
	lockPerson: operation({
		...ABOUT_PERSON,
		path: '/people/lock',
		summary: 'Lock a person',
		description: 'Ends all sessions of the person, who then cannot sign in until unlocked.',
	}),
	unlockPerson: operation({
		...ABOUT_PERSON,
		path: '/people/unlock',
		summary: 'Unlock a person',
		description: 'Lets the person sign in again, with the password and the factors from before.',
	}),
	removePerson: operation({
		...ABOUT_PERSON,
		path: '/people/remove',
		summary: 'Remove a person',
		description:
			'Removes the person with all sessions, factors and links. What the person did stays recorded, with the address.',
	}),
};

import Type from 'typebox';
import { CHANGE_ID_FORM } from '../change-id.ts';
import { operation } from './operation.ts';
import { ACME, answer, EXAMPLE_REQUEST, EXAMPLE_TIME, nullable, Reseller, TIME } from './parts.ts';

const ChangeId = Type.String({
	pattern: CHANGE_ID_FORM.source,
	description: 'The `X-Change-Id` of the change.',
	examples: ['mgd3k1c0-Vn4xT8sQp2LzRw'],
});

export const DoneChange = answer(
	{
		change_id: ChangeId,
		kind: Type.String({ description: 'What was done, as in the activity.', examples: ['top_up'] }),
		reseller: nullable(Reseller, 'The reseller that it was about; `null` if it was about none.'),
		target: Type.String({
			description:
				'What was changed: a name, an e-mail address or an id; for money, the name and the amount in USD cents; for a price, the name, the price in US dollars and the line; for an invitation, the address and the role; for a correction, the account and the day.',
			examples: ['acme 5000'],
		}),
		details: Type.String({
			description:
				'What it changed, with the values before and after, in words for people; empty if there is no more to say. Do not parse it.',
			examples: ['moved: 50.00 USD'],
		}),
		token: Type.String({ description: 'The token that did it: its name and its last characters.' }),
		timestamp: TIME('When it was done, UTC.'),
		request_id: Type.String({ description: 'The `X-Request-Id` of the answer to the change.' }),
	},
	'What a change did.',
);

export const changeOperations = {
	viewChange: operation({
		path: '/changes/view',
		scope: null,
		isChange: false,
		tag: 'Changes',
		summary: 'Read what a change did',
		description:
			'What the change with this `X-Change-Id` did, or `null` if there is no such change. Ids are those of the operator: any token can ask for the change of another one. They are kept for ever.',
		request: Type.Object({ change_id: ChangeId }, { description: 'Names one change. Other fields are ignored.' }),
		requestExample: { change_id: 'mgd3k1c0-Vn4xT8sQp2LzRw' },
		answer: 'What the change did, or `null`.',
		data: nullable(DoneChange, 'What the change did, or `null` if there is no such change.'),
		dataExample: {
			change_id: 'mgd3k1c0-Vn4xT8sQp2LzRw',
			kind: 'top_up',
			reseller: ACME,
			target: 'acme 5000',
			details: 'moved: 50.00 USD',
			token: 'shop ...x4Kd',
			timestamp: EXAMPLE_TIME,
			request_id: EXAMPLE_REQUEST,
		},
		failures: [],
	}),
};

import type { MovementKind, MovementMaker } from '@bursar/contract/dashboard';

export const statementTexts = {
	lead: (zone: string) => `Every movement of your balance, the newest first. Times are those of ${zone}.`,
	label: 'Movements',
	at: 'Time',
	kind: 'Movement',
	subUser: 'Sub-user',
	amount: 'Amount',
	balance: 'Balance',
	by: 'By',
	reference: 'Reference and reason',
	none: 'There are no movements yet.',
	nothingFound: 'No movement fits these filters.',
	unknownSubUser: 'There is no sub-user with this name.',
	nothingYet: 'Nothing found so far.',
	kinds: {
		top_up: 'Top-up',
		adjustment: 'Adjustment',
		create_fee: 'Fee for a sub-user',
		give: 'Given',
		take: 'Taken back',
	} satisfies Record<MovementKind, string>,
	makers: { api: 'API', person: 'Operator', operator: 'Operator' } satisfies Record<MovementMaker['kind'], string>,
	allKinds: 'All',
	invalidSubUser: 'No sub-user can have this name.',
	csv: 'Download CSV',
} as const;

export const actsTexts = {
	lead: (zone: string) =>
		`What people did on the dashboard, the newest first. What programs did with a token stands in the statements. Times are those of ${zone}.`,
	label: 'Acts of all people',
	at: 'Time',
	person: 'Person',
	personFilter: 'E-mail of a person',
	operator: 'Operator',
	act: 'Act',
	allActs: 'All',
	address: 'Address',
	invalidEmail: 'This is no e-mail address.',
	none: 'Nothing is recorded yet.',
	nothingOlder: 'There is nothing older.',
	nothingFound: 'No act fits these filters.',
	nothingYet: 'Nothing found so far.',
} as const;

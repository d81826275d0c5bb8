export const edgesTexts = {
	lead: 'The proxy hosts that check pairs and report bandwidth. They are created and revoked with “bursar edge”, on the machine of the service.',
	none: 'There is no edge yet. Create one with “bursar edge create NAME”, on the machine of the service. It prints the key for the proxy host once.',
	label: 'Edges, those with a key first',
	name: 'Name',
	key: 'Key ends in',
	lastSeen: 'Last seen',
	reportedTo: 'Reported to',
	checks: 'Checks',
	refusals: 'Refused',
	created: 'Created',
	revoked: 'Revoked',
	never: 'Never',
	nothing: 'Nothing yet',
	quiet: 'Quiet',
	quietHint:
		'An edge is “quiet” if it was seen in the last minute, but its newest report is more than a minute older. Either no client uses the proxy, or the program that reports has stopped.',
} as const;

import { inLanguage } from '../../preferences/in-language.ts';

export const edgesTexts = inLanguage('edgesTexts', {
	lead: 'The proxy hosts that check pairs and report bandwidth. Each has a key of its own.',
	connect: 'How resellers are told to reach them',
	none: 'There is no edge yet. Create one, and give its key to the proxy host.',
	create: 'Create an edge',
	createIntro: 'You get a key for the proxy host. It is shown only once.',
	nameHint: 'Like a host name: lowercase letters, digits, periods and hyphens.',
	createNow: 'Create',
	keyTitle: (name: string) => `The key of ${name}`,
	keyLabel: 'Key of the edge',
	keyIntro: 'Give this key to the proxy host, in BURSAR_EDGE_KEY. It is shown only now.',
	keyLost:
		'The edge was created, but its key was in the answer that was lost, and it cannot be shown again. Close this, revoke the edge, and create it once more: you then get a new key.',
	newKey: 'New key',
	newKeyOne: (name: string) => `Make a new key for ${name}`,
	actions: 'Actions',
	revoke: 'Revoke',
	revokeOne: (name: string) => `Revoke ${name}`,
	revokeTitle: (name: string) => `Revoke ${name}?`,
	revokeEffect:
		'Its key is refused everywhere within seconds: the proxy host can check no pair any more, and its reports are refused. What it has reported stays counted. You can make a new key for the same name later.',
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
		'An edge is “quiet” if it was seen in the last minute, but its newest report is more than a minute older. Usually no client uses the proxy. If one does, the program that reports has stopped.',
});

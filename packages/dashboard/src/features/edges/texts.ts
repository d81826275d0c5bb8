import { texts } from '../../preferences/catalogue.ts';

export const edgesTexts = texts('edgesTexts', {
	lead: 'The proxy hosts that check pairs and report bandwidth. Each has a key of its own.',
	connect: 'How resellers are told to reach them',
	none: 'There is no edge yet. Install bursar-edge on the proxy host, create an edge, and run the command that you get there, as root.',
	noAddress:
		'The settings name no address for proxy hosts. Set BURSAR_EDGE_URL to make links, or create the edge with a key.',
	nameHint: 'Like a host name: lowercase letters, digits, periods and hyphens.',
	createNow: 'Create',
	keyIntro: 'Give this key to the proxy host, in BURSAR_EDGE_KEY. It is shown only now.',
	linkIntro:
		'First install bursar-edge on the proxy host. Then run this command there, as root: it makes a key. The link in it is good until {expires}, and works once. It is shown only now.',
	actions: 'Actions',
	revoke: 'Revoke',
	revokeOne: 'Revoke {name}',
	revokeTitle: 'Revoke {name}?',
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
	waits: 'Its host has not joined. The link is good until',
	waitedUntil: 'Its host has not joined. The link ended',
	noKey: 'None yet',
	never: 'Never',
	nothing: 'Nothing yet',
	quiet: 'Quiet',
	quietHint:
		'An edge is “quiet” if it was seen in the last minute, but its newest report is more than a minute older. Usually no client uses the proxy. If one does, the program that reports has stopped.',
});

/** How an edge is made: with a link for its host, or with a key. */
export const newEdgeTexts = texts('newEdgeTexts', {
	'/operator/edges/link': {
		action: 'Create an edge',
		title: 'Create an edge',
		intro:
			'You get a command to run on the proxy host, with a link that is good for 24 hours and once. It is shown only once.',
		secretTitle: 'Join {name}',
		secretLabel: 'Command for the proxy host',
		lost: 'The edge was created, but its link was in the answer that was lost, and it cannot be shown again. Close this, and make a new link: it replaces the lost one.',
		again: 'New link',
		againOne: 'Make a new link for {name}',
	},
	'/operator/edges/create': {
		action: 'Create with a key',
		title: 'Create an edge with a key',
		intro: 'You get a key for a program of your own. It is shown only once.',
		secretTitle: 'The key of {name}',
		secretLabel: 'Key of the edge',
		lost: 'The edge was created, but its key was in the answer that was lost, and it cannot be shown again. Close this, revoke the edge, and create it once more: you then get a new key.',
		again: 'New key',
		againOne: 'Make a new key for {name}',
	},
});

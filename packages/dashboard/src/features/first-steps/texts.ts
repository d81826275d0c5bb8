import { texts } from '../../preferences/catalogue.ts';

/** The lists of what new operators and new resellers do first. */
export const firstStepsTexts = texts('firstStepsTexts', {
	progress: '{done} of {all} are done. Once all are, this list goes away.',
	hide: 'Hide this list',
	done: 'Done',
	toDo: 'To do',

	service: 'Set up the service',
	serviceSteps: {
		second_way_in: 'A second operator, or one more second factor of your own, with recovery codes',
		backup: 'A backup',
		mail: 'Mail, so that the service can send invitations and warnings',
		reseller: 'The first reseller',
		price: 'A price for bandwidth, on the page of a reseller',
		top_up: 'The first top-up',
		person: 'The first person of a reseller, invited',
		edge: 'The first edge, heard from',
	},
	backupBy: 'Made on the machine of the service by',

	reseller: 'First steps',
	resellerSteps: {
		sub_user: 'The first sub-user',
		give: 'Balance for a sub-user',
		bytes: 'The first bytes through the proxies',
		warning: 'A warning of a low balance',
		warning_mail: 'A warning of a low balance, also by mail to you',
		second_way_in: 'A second person, or a passkey of your own',
		passkey: 'A passkey',
		api: 'The first call of the API',
	},
});

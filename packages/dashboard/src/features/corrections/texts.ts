import { texts } from '../../preferences/catalogue.ts';

/** Corrections of the bandwidth of a day, by operators. */
export const correctionTexts = texts('correctionTexts', {
	action: 'Correct bandwidth',
	title: 'Correct the bandwidth of a day',
	intro:
		'Adds bytes to a UTC day of an account, or takes them away. It moves no money: to give money back, make a top-up. Corrections are never removed: to take one back, make another one.',
	reseller: 'Reseller',
	username: 'Account',
	usernameHint: 'A sub-user, also one that was deleted, or the reseller itself.',
	day: 'Day (UTC)',
	direction: 'What happens to the bytes',
	directions: { take: 'Take away', add: 'Add' },
	down: 'Bytes down',
	up: 'Bytes up',
	bytes: '= {bytes}',
	bytesHint: 'Whole bytes. Empty: none.',
	noBytes: 'Enter a whole number of bytes.',
	reference: 'Reference',
	referenceHint: 'Your own name for this correction. Each reference counts once.',
	reason: 'Reason',
	reasonHint: 'The people of the reseller can read it.',
	downNow: 'Down now',
	upNow: 'Up now',
	downAfter: 'Down after it',
	upAfter: 'Up after it',
	exact: '{bytes} ({exact} B)',
	problems: {
		too_few: 'The day has fewer bytes than that.',
		too_many: 'No day can have so many bytes.',
	},
	correct: 'Correct the day',
	lost: 'No answer arrived, so it is not known whether the day was corrected. Try again: the same reference never counts twice, and you then learn what became of it.',
	repeatedAct: 'The day was corrected, once. Nothing was changed twice.',
	done: 'Done. The day has {down} down and {up} up now.',
	doneBefore: 'A correction with the reference {reference} and these bytes was made before. Nothing was changed now.',
});

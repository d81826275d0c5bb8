import { texts } from '../preferences/catalogue.ts';

export const actTexts = texts('actTexts', {
	close: 'Close',
	cancel: 'Cancel',
	lostTitle: 'The answer was lost',
	lostAct:
		'No answer arrived, so it is not known whether this was done. Try again: it cannot be done twice, and you then learn what became of it.',
	/** Instead of a change. */
	resellerSuspended: 'The operator has suspended this account: until it is resumed, nothing can be changed.',
	repeated: 'It was done before, and not again. This page shows how things stand now.',
});

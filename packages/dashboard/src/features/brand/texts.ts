import { MAX_ADDRESS_LINES, MAX_BRAND_NAME_CHARACTERS, MAX_LETTERHEAD_CHARACTERS } from '@bursar/contract/brand';
import { MAX_LOGO_BYTES, MAX_LOGO_PIXELS, type PngProblem } from '@bursar/contract/png';
import { textsWith } from '../../preferences/catalogue.ts';

const VALUES = {
	mostName: MAX_BRAND_NAME_CHARACTERS,
	mostKiB: MAX_LOGO_BYTES / 1024,
	mostPixels: MAX_LOGO_PIXELS,
	mostLines: MAX_ADDRESS_LINES,
	mostLetterhead: MAX_LETTERHEAD_CHARACTERS,
	form: '#4263eb',
};

export const brandTexts = textsWith('brandTexts', VALUES, {
	lead: 'Your network’s own name, colour, logo and letterhead. All people see them: on the sign-in page, on all other pages, in mails and on statements.',

	look: 'Name, colour and logo',
	changeLook: 'Change the look',
	save: 'Save',
	name: 'Name of the service',
	nameHint: 'At most {mostName} characters. Empty: Bursar. Mails come from this name too.',
	nameWrong: 'Use at most {mostName} characters that people can see.',
	color: 'Colour',
	colorHint: 'Like {form}. Empty: the usual one. It is darkened or lightened where texts could not be read otherwise.',
	colorWrong: 'Write it like {form}.',
	chooseColor: 'Choose a colour',
	logo: 'Logo',
	logoHint: 'A PNG of at most {mostKiB} KiB and {mostPixels} pixels a side. It stands on white.',
	removeLogo: 'Remove the logo',
	logoProblems: {
		too_large: 'This file is larger than {mostKiB} KiB.',
		not_png: 'This file is not a PNG.',
		too_many_pixels: 'A side of this image is longer than {mostPixels} pixels.',
		animated: 'This image is animated.',
		damaged: 'This image is damaged, or the browser cannot show it.',
	} as const satisfies Record<PngProblem, string>,
	logoTodo: 'Choose another file.',

	preview: 'Preview',
	onLight: 'On light pages',
	onDark: 'On dark pages',
	aButton: 'A button',
	aLink: 'A link',

	letterhead: 'Letterhead',
	letterheadLead: 'Who sends the statements that people print, and the mails.',
	noLetterhead: 'There is none. Statements show the name of the service.',
	changeLetterhead: 'Change the letterhead',
	legalName: 'Name of the business',
	address: 'Address',
	addressHint: 'At most {mostLines} lines.',
	taxNumber: 'Tax number',
	taxNumberIs: 'Tax number: {number}',
	lineWrong: 'Use at most {mostLetterhead} characters in a line, and no invisible ones.',
	tooManyLines: 'Use at most {mostLines} lines.',

	takeBack: 'Back to Bursar',
	takeBackLead: 'Removes the name, the colour, the logo and the letterhead at once.',
	takeBackIntro: 'All people see Bursar’s own name and look again, also in mails and on statements.',
	nothingToTakeBack: 'Nothing was changed: this is Bursar’s own look.',
});

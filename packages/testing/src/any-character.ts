import fc from 'fast-check';

/** Any Unicode character, as the unit of `fc.string`. The unit `binary` says the same, and takes a second to make. */
export const anyCharacter = fc
	.integer({ min: 0, max: 0x10ffff })
	.filter((code) => code < 0xd800 || code > 0xdfff)
	.map((code) => String.fromCodePoint(code));

/** In a give or a take: the reseller's own name for what it is for, like an order. Need not be unique. */
export const REFERENCE_HEADER = 'X-Reference';

/**
 * Visible ASCII characters, without spaces.
 * @bound Characters of the reference of a give or a take: a longer one is refused.
 */
export const REFERENCE_MAX_LENGTH = 128;
export const REFERENCE_FORM = /^[!-~]{1,128}$/;

export function isMovementReference(text: string): boolean {
	return REFERENCE_FORM.test(text);
}

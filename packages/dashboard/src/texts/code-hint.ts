/** Which code somebody enters. Before the person is known, it is not known whether there are one-time codes. */
export function codeHint(hasOneTimeCodes?: boolean): string {
	if (hasOneTimeCodes === undefined) {
		return 'The code that your app shows now, if you use one-time codes, or one of your recovery codes.';
	}
	return hasOneTimeCodes
		? 'The code that your app shows now, or one of your recovery codes.'
		: 'One of your recovery codes.';
}

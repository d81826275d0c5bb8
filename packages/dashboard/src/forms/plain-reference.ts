/** A reference in its plain form, as the service expects it. Texts that are copied from documents have other spaces. */
export function plainReference(text: string): string {
	return text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ');
}
